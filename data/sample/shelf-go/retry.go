package shelf

import (
	"context"
	"errors"
	"time"
)

// MaxRetries is the number of attempts after the first one; MaxDelay caps every wait.
const (
	MaxRetries = 4
	MaxDelay   = 30 * time.Second
)

// BackoffDelays returns one wait per retry: the first delay, doubled each time, never above MaxDelay.
func BackoffDelays(retries int, firstDelay time.Duration) []time.Duration {
	delays := make([]time.Duration, retries)
	next := firstDelay
	for attempt := range delays {
		delays[attempt] = shorter(next, MaxDelay)
		next = shorter(2*next, MaxDelay)
	}
	return delays
}

// RetryWithBackoff calls until it succeeds, the delays are used up, or an error is not ErrTransport.
// A server that names its own wait gets that wait, up to MaxDelay. wait is Sleep outside of tests.
func RetryWithBackoff(
	ctx context.Context,
	delays []time.Duration,
	wait func(context.Context, time.Duration) error,
	call func() error,
) error {
	for _, delay := range delays {
		err := call()
		if !errors.Is(err, ErrTransport) {
			return err
		}
		var busy *ServerBusy
		if errors.As(err, &busy) && busy.RetryAfter > 0 {
			delay = shorter(busy.RetryAfter, MaxDelay)
		}
		if err := wait(ctx, delay); err != nil {
			return err
		}
	}
	return call()
}

// Sleep waits, or returns early with the context's error.
func Sleep(ctx context.Context, delay time.Duration) error {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func shorter(a, b time.Duration) time.Duration {
	if a < b {
		return a
	}
	return b
}
