// The served documents: each is there, its links lead somewhere, and the search finds its sections.
import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { OPERATIONS } from "../routes";
import { addressOfGuide, asGuideName, GUIDE_NAMES } from "./catalog";
import { anchorOf, plainText, readGuide, targetOf } from "./guide";
import { addressOfOperation, REFERENCE_VERSION } from "./reference";
import { searchGuides } from "./search";

const readText = (path: string) => readFileSync(path, "utf8");
const LINK = /\]\(([^)\s]+)\)/g;

describe("the catalog", () => {
  it("has every document that README lists, except those about changing the code", () => {
    const rows = readText("README.md")
      .split("\n")
      .filter((line) => /^\| (?:integrating|people of a merchant|operating|connecting a provider) \|/.test(line));
    expect(rows).toHaveLength(4);
    const listed = rows.flatMap((row) => [...row.matchAll(/docs\/([\w/-]+)\.md/g)].map(([, name]) => name));
    expect([...GUIDE_NAMES].sort()).toEqual(listed.sort());
  });

  it("has no other name", () => {
    for (const name of ["", "..", "../README", "decisions/README", "quickstart.md", "Quickstart", "reliability"])
      expect(asGuideName(name), name).toBeNull();
  });
});

/** The address of each section of the served documents, and of each document. */
async function servedAddresses(): Promise<ReadonlySet<string>> {
  const guides = await Promise.all(GUIDE_NAMES.map(readGuide));
  return new Set(
    guides.flatMap(({ name, sections }) => {
      const address = addressOfGuide(name);
      return [address, ...sections.map(({ id }) => `${address}#${id}`)];
    }),
  );
}

it.each(GUIDE_NAMES)("every link of %s leads to a served page or section, another site, or nowhere", async (name) => {
  const [{ text }, served] = [await readGuide(name), await servedAddresses()];
  const targets = [...text.matchAll(LINK)].flatMap(([, href = ""]) => targetOf(name, href) ?? []);
  const own = targets.filter((target) => !target.startsWith("https://") && target !== "/openapi.json");
  const addresses = own.map((target) => (target.startsWith("#") ? addressOfGuide(name) + target : target));
  expect(addresses.filter((address) => !served.has(address))).toEqual([]);
});

it("a link to what is not served leads nowhere", () => {
  for (const href of ["decisions/0043-recipients-cool-off.md", "../server/README.md", "deployment/compose.yaml"])
    expect(targetOf("dashboard", href), href).toBeNull();
  expect(targetOf("providers/stripe", "../providers.md#routes")).toBe("/docs/providers#routes");
});

it("anchors are those of the repository's pages", () => {
  expect(anchorOf("Exceptions, reconciliation, statements")).toBe("exceptions-reconciliation-statements");
  expect(anchorOf("`GET /metrics` (Prometheus)")).toBe("get-metrics-prometheus");
});

it("a line of a code block is no heading", async () => {
  const { sections } = await readGuide("deployment");
  expect(sections.map(({ heading }) => heading)).not.toContain("Not a heading");
  for (const { heading, text } of sections) expect(text.split("```").length % 2, heading).toBe(1);
});

it("plain text has no marks", () => {
  expect(plainText("Read [the API](api.md), `code` and **more**.")).toBe("Read the API, code and more.");
  expect(plainText("Text\n```sh\nls\n```\nend\n| a | b |", true)).toBe("Text end");
});

describe("the search", () => {
  it("finds a section by words of it, in any order and by their beginnings", async () => {
    const hits = await searchGuides("another request idempot");
    expect(hits.map(({ href }) => href)).toContain("/docs/api#errors");
  });

  it.each([
    ["pagination", "/docs/api#lists"],
    ["test cards", "/docs/quickstart#make-it-fail"],
  ])("finds %j, which others call it", async (query, href) => {
    expect((await searchGuides(query)).map((hit) => hit.href)).toContain(href);
  });

  it("finds each operation by its id, with its place in the reference", async () => {
    for (const operation of OPERATIONS) {
      const [hit] = await searchGuides(operation.id);
      expect(hit).toMatchObject({ href: addressOfOperation(operation), place: "API reference" });
    }
  });

  it("works again after documents could not be read once", async () => {
    vi.resetModules();
    const elsewhere = vi.spyOn(process, "cwd").mockReturnValue("/nowhere");
    const { searchGuides: searchAfresh } = await import("./search");
    await expect(searchAfresh("idempotency")).rejects.toThrow("ENOENT");
    elsewhere.mockRestore();
    expect(await searchAfresh("idempotency")).not.toEqual([]);
  });

  it("finds nothing for words that no document has, and for none", async () => {
    expect(await searchGuides("xyzzyplugh")).toEqual([]);
    expect(await searchGuides(" ")).toEqual([]);
  });

  it("takes no longer for a long query than for its beginning", async () => {
    const begin = "payout ".repeat(14);
    expect(await searchGuides(`${begin}${"x".repeat(1_000_000)}`)).toEqual(await searchGuides(`${begin}xx`));
  });
});

it("the reference's address names the version of the installed package", () => {
  const { devDependencies } = JSON.parse(readText("package.json")) as { devDependencies: Record<string, string> };
  expect(devDependencies["@scalar/fastify-api-reference"]).toBe(REFERENCE_VERSION);
});
