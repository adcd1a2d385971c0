// Searches the served documents, section by section, and the operations of the API.
import MiniSearch from "minisearch";
import { OPERATIONS } from "../routes";
import { addressOfGuide, GUIDE_NAMES } from "./catalog";
import { plainText, readGuide } from "./guide";
import { addressOfOperation } from "./reference";

/** A section or an operation that contains every word of a query. */
export interface Hit {
  readonly href: string;
  readonly title: string;
  /** The document of a section; "API reference" of an operation. */
  readonly place: string;
  /** The first words of its text. */
  readonly excerpt: string;
}

interface Entry extends Hit {
  readonly id: number;
  readonly text: string;
}

const MAXIMUM_HITS = 30;
const EXCERPT_LENGTH = 180;
/** Longer queries name no more than their first characters do. */
const MAXIMUM_QUERY = 100;

let prepared: Promise<MiniSearch<Entry>> | null = null;

/** Short words are easily others; of longer ones, one letter in six may be wrong. */
function fuzzinessOf(word: string): number | boolean {
  return word.length < 6 ? false : 0.17;
}

function excerptOf(text: string): string {
  return text.length <= EXCERPT_LENGTH ? text : `${text.slice(0, text.lastIndexOf(" ", EXCERPT_LENGTH))} …`;
}

async function prepare(): Promise<MiniSearch<Entry>> {
  const entries: Omit<Entry, "id">[] = [];
  for (const guide of await Promise.all(GUIDE_NAMES.map(readGuide))) {
    for (const { id, heading, text: marked } of guide.sections) {
      const [text, prose] = [plainText(marked), plainText(marked, true)];
      const href = addressOfGuide(guide.name) + (id === "" ? "" : `#${id}`);
      entries.push({ href, title: heading, place: guide.title, excerpt: excerptOf(prose), text });
    }
  }
  for (const operation of OPERATIONS) {
    const text = `${operation.method} /v1${operation.path} ${operation.id}`;
    const href = addressOfOperation(operation);
    entries.push({ href, title: operation.summary, place: "API reference", excerpt: text, text });
  }
  const index = new MiniSearch<Entry>({
    fields: ["title", "place", "text"],
    storeFields: ["href", "title", "place", "excerpt"],
    searchOptions: { boost: { title: 4, place: 2 }, prefix: true, fuzzy: fuzzinessOf, combineWith: "AND" },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return index;
}

/** The index, made once; what failed is tried again by the next search. */
function index(): Promise<MiniSearch<Entry>> {
  prepared ??= prepare().catch((error: unknown) => {
    prepared = null;
    throw error;
  });
  return prepared;
}

/** Returns the best hits of a query, best first; none for an empty one. Throws the error of a document that cannot be read. */
export async function searchGuides(query: string): Promise<readonly Hit[]> {
  const found = (await index()).search(query.slice(0, MAXIMUM_QUERY)) as unknown as Hit[];
  return found.slice(0, MAXIMUM_HITS).map(({ href, title, place, excerpt }) => ({ href, title, place, excerpt }));
}
