import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cellsSetting, namedCells } from "./cells-setting";
import { loadEnv } from "./env";

const FIRST = { databaseUrl: "postgres://localhost/one", databaseDirectUrl: null, reportDatabaseUrl: null };
const EU = { name: "eu2", tag: "e2", url: "postgres://localhost/two" };

const read = (entries: unknown) => cellsSetting(FIRST, JSON.stringify(entries));
const faultsOf = (entries: unknown) => read(entries).faults;

it("is one cell by default: the database of DATABASE_URL", () => {
  const one = { cells: [{ name: "main", tag: "", ...FIRST }], faults: [] };
  expect(cellsSetting(FIRST, null)).toEqual(one);
  expect(read([])).toEqual(one);
});

it("reads further cells from JSON or a file of it", async () => {
  const cell = { name: "eu2", tag: "e2", databaseUrl: EU.url, databaseDirectUrl: null, reportDatabaseUrl: null };
  expect(read([EU])).toEqual({ cells: [{ name: "main", tag: "", ...FIRST }, cell], faults: [] });
  const direct = { ...EU, direct_url: "postgres://localhost:1/two", report_url: "postgresql://localhost:2/two" };
  expect(read([direct]).cells[1]).toEqual({
    ...cell,
    databaseDirectUrl: direct.direct_url,
    reportDatabaseUrl: direct.report_url,
  });
  const folder = await mkdtemp(join(tmpdir(), "sluice-cells-"));
  writeFileSync(join(folder, "cells.json"), JSON.stringify([EU]));
  expect(cellsSetting(FIRST, join(folder, "cells.json")).cells[1]).toEqual(cell);
  await rm(folder, { recursive: true });
});

it("has work for all cells by default, or for those that are named", () => {
  const { cells } = read([EU]);
  const namesOf = (text: string | null) => namedCells("WORKER_CELLS", text, cells).cells.map(({ name }) => name);
  expect(namesOf(null)).toEqual(["main", "eu2"]);
  expect(namesOf("eu2")).toEqual(["eu2"]);
  expect(namesOf(" eu2 ,main, eu2")).toEqual(["main", "eu2"]);
  expect(namedCells("WORKER_CELLS", "eu3,eu2,", cells).faults).toEqual([
    'WORKER_CELLS names "eu3", which is no cell: main or a name in CELLS',
    'WORKER_CELLS names "", which is no cell: main or a name in CELLS',
  ]);
});

it("names every fault and no value", () => {
  const faults = faultsOf([
    { ...EU, name: "Main street", tag: "e" },
    { ...EU, name: "main", tag: "ui", url: "http://secret.example.com" },
    { ...EU, tags: "x", url: undefined },
  ]);
  expect(faults.map((fault) => fault.split(" ")[0])).toEqual([
    "CELLS[0].name",
    "CELLS[0].tag",
    "CELLS[1].name",
    "CELLS[1].tag",
    "CELLS[1].url",
    "CELLS[2].url",
    "CELLS[2]",
  ]);
  expect(faults.join()).not.toContain("secret");
  expect(cellsSetting(FIRST, "[").faults).toEqual(["CELLS must contain valid JSON"]);
  expect(cellsSetting(FIRST, "/nowhere/cells.json").faults).toEqual([
    "CELLS must be a JSON array or the path of a readable file",
  ]);
});

it("refuses a name, tag or address that two cells have", () => {
  expect(faultsOf([EU, EU])).toEqual([
    "CELLS[1].name is that of another cell",
    "CELLS[1].tag is that of another cell",
    "CELLS[1].url is that of another cell",
  ]);
  expect(faultsOf([{ ...EU, url: FIRST.databaseUrl }])).toEqual(["CELLS[0].url is that of another cell"]);
});

it("needs DATABASE_URL, and encryption where the database needs it", () => {
  const CELLS = JSON.stringify([EU]);
  const secrets = { SLUICE_SECRETS: Buffer.alloc(32, 7).toString("base64") };
  expect(() => loadEnv({ CELLS })).toThrow("CELLS is set without DATABASE_URL");
  expect(loadEnv({ CELLS, DATABASE_URL: FIRST.databaseUrl, ...secrets }).cells).toHaveLength(2);
  const far = JSON.stringify([{ ...EU, url: "postgres://db.example.com/two" }]);
  expect(() => loadEnv({ CELLS: far, DATABASE_URL: FIRST.databaseUrl, ...secrets })).toThrow(
    "CELLS[0].url of another machine must have sslmode",
  );
});
