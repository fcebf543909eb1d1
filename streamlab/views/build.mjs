/*
 * Puts the JavaScript together: for each picture and each part of the page one module that needs no other, in dist/.
 *
 * `npm ci` once, then `npm run build` after every change; the output is kept in the repository. `npm run check` says
 * whether it is current, and changes nothing.
 */
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const VIEWS = dirname(fileURLToPath(import.meta.url));
const WINGS = dirname(VIEWS);
const ROOT = dirname(WINGS);
const DIST = join(VIEWS, "dist");

/** The views of the package's own pictures by name. */
function pictures() {
  const views = readdirSync(join(VIEWS, "pictures")).map((name) => [name, join(VIEWS, "pictures", name, "js", "view.js")]);
  return Object.fromEntries(views.filter(([, view]) => existsSync(view)));
}

/** Name of each module and where it begins. */
function entries() {
  const found = {
    kit: join(VIEWS, "kit", "js", "index.js"), replay: join(VIEWS, "hosting", "js", "replay.js"),
    timeline: join(VIEWS, "timeline", "js", "timeline.js"), study: join(WINGS, "study", "page", "js", "study.js"), lesson: join(WINGS, "lessons", "js", "lesson.js"), ...pictures(),
  };
  const page = join(VIEWS, "page", "js");
  for (const file of readdirSync(page)) found[basename(file, ".js")] = join(page, file);
  return found;
}

/** The packages among a module's inputs. */
function packages(inputs) {
  const names = new Set();
  for (const input of Object.keys(inputs)) {
    const match = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) names.add(match[1]);
  }
  return [...names].sort();
}

const about = (name) => JSON.parse(readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8"));

/** `import { pictures } from "streamlab:pictures"`: what Panel calls to draw each of the package's own pictures, by name. */
const allPictures = {
  name: "pictures",
  setup(build) {
    build.onResolve({ filter: /^streamlab:pictures$/ }, ({ path }) => ({ path, namespace: "streamlab" }));
    build.onLoad({ filter: /.*/, namespace: "streamlab" }, () => {
      const views = Object.entries(pictures());
      const imports = views.map(([, view], i) => `import { render as render${i} } from ${JSON.stringify(view)};`);
      const names = views.map(([name], i) => `${JSON.stringify(name)}: render${i}`);
      return { contents: `${imports.join("\n")}\nexport const pictures = { ${names.join(", ")} };`, resolveDir: VIEWS };
    });
  },
};

async function bundle(name, entry) {
  const isKit = name === "kit";
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    charset: "utf8",
    target: "es2022",
    // Panel passes each module through Sucrase, which turns a minified `return a??b` into a name that does not exist
    supported: { "nullish-coalescing": false, "optional-chain": false },
    legalComments: "none",
    plugins: [allPictures],
    // the kit stands in front of another module's text: one constant, nothing exported; the replay is a script of its own
    ...(isKit ? { format: "iife", globalName: "kit" } : { format: name === "replay" ? "iife" : "esm" }),
  });
  const used = packages(metafile.inputs);
  const thanks = used.length ? `; with ${used.map((each) => `${each} ${about(each).version}`).join(", ")}: LICENSES.txt` : "";
  return { text: `/*! streamlab ${name}, built by npm run build${thanks} */\n${outputFiles[0].text}`, used };
}

/** The licences of everything bundled, as their authors ask. */
function licences(used) {
  const texts = [...used].sort().map((name) => {
    const { version, license } = about(name);
    const text = readFileSync(join(ROOT, "node_modules", name, "LICENSE"), "utf8").trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return `The modules in this folder contain parts of these packages.\n\n${texts.join(`\n${"-".repeat(80)}\n\n`)}`;
}

const made = new Map();
const used = new Set();
for (const [name, entry] of Object.entries(entries())) {
  const result = await bundle(name, entry);
  made.set(`${name}.js`, result.text);
  result.used.forEach((each) => used.add(each));
}
made.set("LICENSES.txt", licences(used));

mkdirSync(DIST, { recursive: true });
const old = readdirSync(DIST).filter((file) => !made.has(file));
const stale = [...made].filter(([file, text]) => !existsSync(join(DIST, file)) || readFileSync(join(DIST, file), "utf8") !== text);
if (process.argv.includes("--check")) {
  const wrong = [...stale.map(([file]) => file), ...old];
  if (wrong.length) {
    console.error(`not current in ${DIST}: ${wrong.join(", ")}; run: npm run build`);
    process.exit(1);
  }
} else {
  for (const [file, text] of stale) writeFileSync(join(DIST, file), text);
  for (const file of old) rmSync(join(DIST, file));
  for (const [file, text] of made) console.log(`${file.padEnd(20)} ${(Buffer.byteLength(text) / 1024).toFixed(1).padStart(7)} kB`);
}
