// Joins the modules into the files of ../static; with --check says whether those are fresh.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const MODULES = [
  { entry: "index.js", name: "brainkit.js", limit: 80_000 }, // every output carries it
  { entry: "report.js", name: "report.js", limit: 100_000 }, // a report carries this instead, once
  { entry: "widget.js", name: "explorer.js", limit: 100_000 }, // and what needs a kernel, as a widget
  { entry: "evaluation/index.js", name: "evaluation.js", limit: 60_000 }, // evaluations and sweeps carry this alone
  { entry: "lessons/index.js", name: "lessons.js", limit: 40_000 }, // pictures of the lessons carry this alone
  { entry: "labelling/index.js", name: "labelling.js", limit: 40_000 }, // labelling carries this alone
];
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const banner = `/*brainkit ${await digest()}*/`; // freshness can be told without this tool

for (const { entry, name, limit } of MODULES) {
  const code = await joined(entry);
  if (/<\/script|<!--/i.test(code)) throw new Error("the module would end the script element that carries it");
  if (code.length > limit) throw new Error(`${name} has ${code.length} bytes; the limit is ${limit}`);
  const target = here(`../static/${name}`);
  if (!process.argv.includes("--check")) {
    await writeFile(target, code);
  } else if ((await readFile(target, "utf8").catch(() => "")) !== code) {
    console.error(`static/${name} is not what its sources give; run: node build.mjs`);
    process.exitCode = 1;
  }
  console.log(`static/${name}: ${code.length} bytes`);
}

async function joined(entry) {
  const result = await build({
    entryPoints: [here(entry)],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "ascii", // an output's encoding is the page's affair
    loader: { ".css": "text" },
    plugins: [{ name: "theme", setup: minifyTheme }],
    legalComments: "none",
    banner: { js: banner },
    write: false,
  });
  return result.outputFiles[0].text;
}

function minifyTheme({ onLoad }) {
  onLoad({ filter: /\.css$/ }, async ({ path }) => {
    const css = await build({ entryPoints: [path], bundle: true, minify: true, write: false, loader: { ".css": "css" }, target: ["chrome125", "firefox125", "safari17.5"] });
    return { contents: css.outputFiles[0].text.trim(), loader: "text" };
  });
}

/** SHA-256 over the sources: each path, NUL, text, NUL, in the order of the paths' characters. */
async function digest() {
  const names = (await readdir(here("."), { recursive: true }))
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => /\.(js|css)$/.test(name) && !name.startsWith("node_modules/"))
    .sort();
  const hash = createHash("sha256");
  for (const name of names) hash.update(`${name}\0${await readFile(here(name), "utf8")}\0`);
  return hash.digest("hex");
}
