// Completes package-lock.json with optional packages of other platforms, after npm has changed the dependencies.
//
// A registry mirror may hold only the builds for its own platform. npm then leaves the others out of the lock, and from
// that moment `npm ci` refuses the lock as incomplete, here and everywhere. Their versions are exact in the packages
// that want them, and their platforms are in their names, so the entries can be written without fetching anything. With
// a full registry nothing is missing and the file stays as it is.
import { readFileSync, writeFileSync } from "node:fs";

const LOCK = new URL("../package-lock.json", import.meta.url);
const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];
const EXACT = /^\d+\.\d+\.\d+/;

/** What the name says about where a package runs: "@next/swc-linux-x64-musl" → Linux, x64, musl. */
function platformOf(name) {
  const words = name.split("/").at(-1).split(/[-.]/);
  const system = SYSTEMS.find((candidate) => words.includes(candidate));
  const processor = PROCESSORS.find((candidate) => words.includes(candidate));
  const isMusl = words.some((word) => word.startsWith("musl"));
  const isGnu = words.some((word) => word.startsWith("gnu"));
  return {
    ...(system ? { os: [system] } : {}),
    ...(processor ? { cpu: [processor] } : {}),
    ...(isMusl ? { libc: ["musl"] } : isGnu && system === "linux" ? { libc: ["glibc"] } : {}),
  };
}

function missingEntries(packages) {
  const missing = {};
  for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const isKnown = packages[`${path}/node_modules/${name}`] ?? packages[`node_modules/${name}`];
      if (isKnown || !EXACT.test(version)) continue;
      missing[`node_modules/${name}`] = { version, ...platformOf(name), ...(dev ? { dev } : {}), optional: true };
    }
  }
  return missing;
}

const lock = JSON.parse(readFileSync(LOCK, "utf8"));
const missing = missingEntries(lock.packages);
if (Object.keys(missing).length > 0) {
  const { "": root, ...others } = lock.packages;
  const sorted = Object.entries({ ...others, ...missing }).sort(([a], [b]) => a.localeCompare(b, "en"));
  lock.packages = { "": root, ...Object.fromEntries(sorted) };
  writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
}
