// Every command says in which cells it works, and its options fit what it says.
import { describe, expect, it } from "vitest";
import { allCommands } from "./commands";
import type { CellUse } from "./in-cells";

/** Those that need neither a merchant nor a name of an object. All others must find a cell. */
const WITHOUT_DATABASE = ["providers certify", "routes show"];
/** Their services reach the cells themselves. */
const BY_THEMSELVES = [
  "cells list",
  "cells status",
  "merchants drop-copy",
  "merchants move",
  "merchants moves",
  "reconcile",
];
/** Options that name an object whose id or key carries its cell's tag. */
const NAMING = ["merchant", "id", "publicKey", "cell"];

const COMMANDS = await allCommands();
const named = (...uses: readonly CellUse[]) => COMMANDS.filter(({ cells }) => uses.includes(cells));
const namesOf = (commands: readonly { readonly name: string }[]) => commands.map(({ name }) => name).sort();
/** Whether a line without the option is refused. */
const demands = ({ options }: (typeof COMMANDS)[number], name: string) =>
  options[name] !== undefined && options[name].make("--x").defaultValue === undefined;

describe("the cells of the commands", () => {
  it("are declared by every command", () => {
    expect(COMMANDS.length).toBeGreaterThan(80);
    const uses: readonly CellUse[] = [
      "none",
      "own",
      "every",
      "merchant",
      "merchant or every",
      "id",
      "publicKey",
      "cell",
    ];
    expect(namesOf(named(...uses))).toEqual(namesOf(COMMANDS));
  });

  it.each(["merchant", "id", "publicKey"] as const)("are found by a required option %s where one says so", (name) => {
    expect(named(name).length).toBeGreaterThan(0);
    expect(named(name).filter((command) => !demands(command, name))).toEqual([]);
  });

  it("are the merchant's wherever a merchant must be named", () => {
    const others = COMMANDS.filter((command) => demands(command, "merchant") && command.cells !== "merchant");
    // They work in two cells, and while the merchant is open in none.
    expect(namesOf(others)).toEqual(["merchants drop-copy", "merchants move"]);
  });

  it("are the merchant's or all where a merchant may be named", () => {
    const optional = COMMANDS.filter(
      ({ options, cells }) => options.merchant && cells !== "merchant" && cells !== "id" && cells !== "own",
    );
    expect(namesOf(optional)).toEqual(namesOf(named("merchant or every")));
  });

  it("are named by an option where nothing else can", () => {
    expect(namesOf(named("cell"))).toEqual(namesOf(COMMANDS.filter(({ options }) => options.cell)));
    expect(namesOf(named("cell"))).toEqual(["callbacks apply", "callbacks show", "merchants create"]);
  });

  it("are all where no option names an object", () => {
    const naming = named("every").filter(({ options }) => NAMING.some((name) => options[name] !== undefined));
    expect(namesOf(naming)).toEqual([]);
  });

  it("are none, or the service's own matter, for few", () => {
    expect(namesOf(named("none"))).toEqual(WITHOUT_DATABASE);
    expect(namesOf(named("own"))).toEqual(BY_THEMSELVES);
  });
});
