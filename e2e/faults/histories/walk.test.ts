// A walk against lists with planted bugs of their cursors.
import { expect, it } from "vitest";
import type { Answer } from "../../support/api";
import { complaintsAboutWalk, walkList } from "./walk";

const BEFORE = ["e", "d", "c", "b", "a"];

/** A list in pages of two, newest first; `from` says where the page behind a row begins. A row is inserted at each page. */
function listWith(from: (rows: readonly string[], cursor: string) => number) {
  const rows = [...BEFORE];
  let asked = 0;
  return async (path: string) => {
    const cursor = /&cursor=(.*)$/.exec(path)?.[1] ?? "";
    const start = cursor === "" ? 0 : from(rows, cursor);
    const ids = rows.slice(start, start + 2);
    const next_cursor = start + 2 < rows.length ? (ids.at(-1) ?? null) : null;
    const body = { data: ids.map((id) => ({ id, status: "processing" })), next_cursor };
    rows.unshift(`new${asked++}`);
    return { answer: { status: 200, headers: new Headers(), body, text: "" } as Answer, since: asked };
  };
}

async function complaints(from: (rows: readonly string[], cursor: string) => number): Promise<string[]> {
  const { rows, problems } = await walkList(listWith(from), "/x?limit=2");
  return problems.length > 0
    ? [...problems]
    : complaintsAboutWalk(
        BEFORE,
        rows.map(({ id }) => id),
      );
}

it("over a list whose cursors are right finds nothing", async () => {
  expect(await complaints((rows, cursor) => rows.indexOf(cursor) + 1)).toEqual([]);
});

it("finds a row that comes twice", async () => {
  expect(await complaints((rows, cursor) => rows.indexOf(cursor))).toContain("a walk met d 2 times");
});

it("finds a row that is left out", async () => {
  expect(await complaints((rows, cursor) => rows.indexOf(cursor) + 2)).toEqual(["a walk left out c"]);
});

it("finds that a list does not end", async () => {
  expect(await complaints(() => 0)).toEqual(["a walk did not end"]);
});

it("finds a page that is no page", async () => {
  const get = async () => ({ answer: { status: 400, headers: new Headers(), body: null, text: "no" }, since: 0 });
  expect((await walkList(get, "/x?")).problems).toEqual(["a page was answered 400: no"]);
});
