import { setTimeout as sleepMs } from "node:timers/promises";

import { ServerBusy, TransportError } from "./errors.js";

/** Attempts after the first one. */
export const MAX_RETRIES = 4;
export const MAX_DELAY_SECONDS = 30;

export interface RetryOptions {
  readonly maxRetries?: number;
  readonly firstDelaySeconds?: number;
  readonly sleep?: (seconds: number) => Promise<unknown>;
}

/** Returns one wait per retry: the first delay, doubled each time, never above thirty seconds. */
export function backoffDelays(retries: number, firstDelaySeconds = 1): number[] {
  return Array.from({ length: retries }, (_, attempt) =>
    Math.min(firstDelaySeconds * 2 ** attempt, MAX_DELAY_SECONDS),
  );
}

/**
 * Returns what `call` resolves to, trying again after a TransportError.
 *
 * A server that names its own wait gets that wait, up to thirty seconds. Other errors pass straight
 * through, and so does the last TransportError.
 */
export async function retryWithBackoff<T>(
  call: () => Promise<T>,
  {
    maxRetries = MAX_RETRIES,
    firstDelaySeconds = 1,
    sleep = (seconds) => sleepMs(seconds * 1000),
  }: RetryOptions = {},
): Promise<T> {
  for (const delay of backoffDelays(maxRetries, firstDelaySeconds)) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      const asked = error instanceof ServerBusy ? error.retryAfterSeconds : undefined;
      await sleep(asked === undefined ? delay : Math.min(asked, MAX_DELAY_SECONDS));
    }
  }
  return call();
}
