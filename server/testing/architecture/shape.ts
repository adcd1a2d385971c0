// The rules about the form of files: names of files and folders, length, words.
import { codeOf } from "./syntax";
import { isCode, isTestOnly, type Rule, type SourceFile } from "./tree";

const MAXIMUM_LINES = 300;

function sources(files: readonly SourceFile[]): SourceFile[] {
  return files.filter(
    ({ path }) =>
      isCode(path) && /^(server|app|components|client|e2e|bench)\//.test(path) && !/\.generated\./.test(path),
  );
}

/** Files that only re-export. */
export const barrels: Rule = (files) =>
  sources(files)
    .filter(({ path }) => /(^|\/)index\.[cm]?[jt]sx?$/.test(path))
    .map(({ path }) => `${path} is a barrel`);

const NAMELESS = /(^|\/)(utils?|helpers?|common|lib|misc|shared)\//;

/** Folders whose names do not describe their contents. */
export const namelessFolders: Rule = (files) =>
  files.filter(({ path }) => NAMELESS.test(path)).map(({ path }) => `${path} lies in a folder without a subject`);

/** Files too long for one subject; tests may be long. */
export const longFiles: Rule = (files) =>
  sources(files)
    .filter(({ path, text }) => !isTestOnly(path) && text.trimEnd().split("\n").length > MAXIMUM_LINES)
    .map(({ path }) => `${path} has more than ${MAXIMUM_LINES} lines`);

const PLACES_OUTSIDE = [/(^|[^\w.])\/(work|home|Users)\/\w/, /\.\.\/(shared)\b/, /(^|[^\w])\.(library)\b/];

/** Mentions of paths that exist only on the author's machine. */
export const placesOutside: Rule = (files) =>
  files
    .filter(({ path }) => path !== "package-lock.json")
    .flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, index) => {
        const found = PLACES_OUTSIDE.some((place) => place.test(line));
        return found ? [`${path}:${index + 1} mentions a place outside the repository`] : [];
      }),
    );

const UNFINISHED = /\b(TO-?DO|FIX-?ME)\b/;

/** Markers of unfinished work. */
export const unfinishedWork: Rule = (files) =>
  [...sources(files), ...files.filter(({ path }) => /\.(sql|prisma|css)$/.test(path))].flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => (UNFINISHED.test(line) ? [`${path}:${index + 1} is unfinished`] : [])),
  );

/** One word, one meaning. Each is a common spelling for which the interface has its own word. */
const WORDS: readonly { readonly wrong: RegExp; readonly right: string; readonly exceptIn?: readonly string[] }[] = [
  // The wire spells it topup_intent, so the code treats it as one word too.
  { wrong: /[tT]opUp|\btop_up/, right: "topup" },
  // The status and the event are spelled with two l. A string with one l compiles and never matches.
  // Stripe and Xendit spell their own status with one l: two files of each give it a name.
  {
    wrong: /cancel(ed|ing)\b/i,
    right: "cancelled, cancelling",
    exceptIn: [
      "server/psp/stripe/tables.ts",
      "server/psp/xendit/tables.ts",
      "e2e/support/fake-stripe/objects.ts",
      "e2e/support/fake-xendit/objects.ts",
    ],
  },
  { wrong: /\btenant/i, right: "merchant" },
  // The wire's name is merchant_reference; a short form would be a second name for it.
  { wrong: /\bmerchant_?ref\b/i, right: "merchantReference" },
];

/** Words for which the project uses another. */
export const wrongWords: Rule = (files) =>
  [...sources(files), ...files.filter(({ path }) => /\.(sql|prisma)$/.test(path))].flatMap((file) =>
    WORDS.filter(({ wrong, exceptIn }) => !exceptIn?.includes(file.path) && wrong.test(codeOf(file))).map(
      ({ right }) => `${file.path} should say ${right}`,
    ),
  );
