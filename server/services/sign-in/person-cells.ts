// In which cells a person may be a member. Whoever signs in names no merchant, so a small directory in the first cell maps
// addresses and identities to further cells. It is a hint: each cell says itself who its members are.
import {
  deleteOldPersonCells,
  findCellTags,
  findPeopleAcrossMerchants,
  insertPersonCells,
  type KnownPerson,
} from "@/server/db/person-cells";
import {
  allCells,
  type Cell,
  type Cells,
  currentCell,
  inCell,
  inSharedCell,
  isOnlyCell,
  perCell,
} from "@/server/platform/cell";
import { FIRST_CELL } from "@/server/platform/cells-setting";
import { hmacHex, keyedDigest } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";
import { log } from "@/server/platform/log";
import { readDepartures } from "../cells/moved";
import { asServiceError, listAbsentCells } from "../outage";

/** What a person signs in with: an address in lower case, or who they are at an OpenID provider. */
export type PersonName = string | { readonly issuer: string; readonly subject: string };

function textOf(name: PersonName): string {
  return typeof name === "string" ? `address\n${name}` : `identity\n${name.issuer}\n${name.subject}`;
}

const currentDigest = (name: PersonName) => keyedDigest(keyRing(), "person-cell", textOf(name));

/** The digests under every key: rows may be older than the current one. */
function digestsOf(name: PersonName): string[] {
  return keyRing()
    .all("person-cell")
    .map(({ id, key }) => `${id}.${hmacHex(key, textOf(name))}`);
}

/** The cells that may know a person of these names, the first one first, which always may. With one cell nothing is looked up. */
async function cellsOfPerson(names: readonly PersonName[]): Promise<Cells> {
  const [first, ...further] = allCells();
  if (further.length === 0) return [first];
  const tags = new Set(await inSharedCell(() => findCellTags(names.flatMap(digestsOf))));
  return [first, ...further.filter(({ tag }) => tags.has(tag))];
}

interface Asked {
  readonly cells: readonly Cell[];
  /** The names of cells that do not answer. */
  readonly absent: readonly string[];
}

/**
 * The cells to ask. While the first one is away, all others if the browser has a device cookie: who signed in there before can
 * do so again, wherever the merchant has moved since. Rejects as an outage for browsers without one.
 */
async function cellsToAsk(names: readonly PersonName[], deviceOf: string | null): Promise<Asked> {
  // Whether the first one is away shows when it is asked.
  const absent = listAbsentCells().then((all) => all.filter((name) => name !== FIRST_CELL));
  try {
    return { cells: await cellsOfPerson(names), absent: await absent };
  } catch (error) {
    const [, ...further] = allCells();
    if (deviceOf === null || further.length === 0 || !asServiceError(error)) throw error;
    return { cells: further, absent: [FIRST_CELL, ...(await absent)] };
  }
}

interface AnswersOfCells<Found> {
  readonly found: readonly Found[];
  /** True if a cell of the installation did not answer, or a merchant moves: nobody can be told that they are unknown. */
  readonly isPartial: boolean;
}

/**
 * What is found in the cells that may know a person and that answer. `deviceOf` is the member of the browser's device. Whether
 * a cell is away does not depend on the person: the answer to an unknown person must not differ.
 */
export async function findInCells<Found>(
  names: readonly PersonName[],
  find: () => Promise<readonly Found[]>,
  deviceOf: string | null = null,
): Promise<AnswersOfCells<Found & { readonly cell: Cell }>> {
  const { cells, absent } = await cellsToAsk(names, deviceOf);
  let isPartial = absent.length > 0;
  const departures = await readDeparturesBut(absent);
  const asked = cells.filter(({ name }) => !absent.includes(name));
  const answers = asked.map(async (cell) => {
    try {
      const found = await inCell(cell, find);
      return found.map((one) => ({ ...one, cell }));
    } catch (error) {
      if (allCells().length === 1 || !asServiceError(error)) throw error;
      log().warn({ err: error, cell: cell.name }, "a cell did not answer a sign-in");
      isPartial = true;
      return [];
    }
  });
  const found = (await Promise.all(answers)).flat();
  const isSettled = departures !== null && departures === (await readDeparturesBut(absent));
  return { found, isPartial: isPartial || !isSettled };
}

/** Null while a merchant is in none of the cells that answer: its people would seem to be unknown. With one cell nothing is read. */
async function readDeparturesBut(absent: readonly string[]): Promise<string | null> {
  if (isOnlyCell()) return "";
  try {
    return await readDepartures(allCells().filter(({ name }) => !absent.includes(name)));
  } catch (error) {
    if (!asServiceError(error)) throw error;
    return null;
  }
}

/**
 * Notes that a person is about to become known in the running work's cell: first, so that a crash leaves a row too many. If
 * the first cell is away, `notePeople` does it once it is back, and the work goes on.
 */
export async function notePerson(name: PersonName): Promise<void> {
  const { tag } = currentCell();
  if (tag === "") return;
  try {
    await inSharedCell(() => insertPersonCells([currentDigest(name)], tag));
  } catch (error) {
    if (!asServiceError(error)) throw error;
    log().warn({ err: error }, "the directory of people could not be written; the worker will repeat it");
  }
}

type Person = Pick<KnownPerson, "email" | "identities">;

const namesOf = (people: readonly Person[]): PersonName[] =>
  people.flatMap(({ email, identities }): PersonName[] => [email, ...identities]);

/** Notes that people are about to become known in a cell, to which their merchant moves. Throws if the first cell is away. */
export async function notePeopleIn({ tag }: Cell, people: readonly Person[]): Promise<void> {
  const digests = [...new Set(namesOf(people).map(currentDigest))];
  if (tag !== "" && digests.length > 0) await inSharedCell(() => insertPersonCells(digests, tag));
}

const PAGE = 500;
const START = { merchantId: "", id: "" };

/** How far the pass through the cell's members is. */
const passOf = perCell((): { after: Pick<KnownPerson, "merchantId" | "id"> } => ({ after: START }));

/**
 * Compares one page of the cell's members with the directory and notes who is missing there: after a crash, an outage or a
 * restored backup of the first cell, and after a new secret. Returns the number of members; 0 at the end of a pass, and in the
 * first cell, which needs no row.
 */
export async function notePeople(): Promise<number> {
  const { tag } = currentCell();
  if (tag === "") return 0;
  const pass = passOf();
  const people = await findPeopleAcrossMerchants(pass.after, PAGE);
  const names = namesOf(people);
  if (names.length > 0) await inSharedCell(() => insertPersonCells([...new Set(names.map(currentDigest))], tag));
  const last = people.at(-1);
  pass.after = last ?? START;
  if (last) return people.length;
  const known = keyRing().all("person-cell");
  const keys = { current: keyRing().current("person-cell").id, known: known.map(({ id }) => id) };
  await inSharedCell(() => deleteOldPersonCells(tag, keys));
  return 0;
}
