// Tests that the command line is either executed exactly as typed or rejected.
import { describe, expect, it } from "vitest";
import { defineCommand, flag, oneOf, optional, required, UsageError } from "./command";
import { allCommands, commandsOfNoun } from "./commands";
import { commandHelp, generalHelp } from "./help";
import { splitList } from "./lists";
import { parserOf, parseWords } from "./parse";

const COMMANDS = await allCommands();

const tune = defineCommand({
  name: "lamps tune",
  summary: "Tune a lamp",
  cells: "none",
  options: {
    lamp: required("ID", "the lamp"),
    colour: oneOf(["red", "blue"], "its colour"),
    note: optional("TEXT", "why"),
    atOnce: flag("do not wait"),
  },
  run: async (values) => values,
});

function parse(words: string) {
  return parseWords(words.split(" "), [tune]);
}

describe("values", () => {
  it("every option has a value: as given, null for the optional, true or false for the flag", () => {
    expect(parse("lamps tune --lamp 7 --colour red")).toMatchObject({
      kind: "run",
      values: { lamp: "7", colour: "red", note: null, atOnce: false },
    });
    expect(parse("lamps tune --colour=blue --at-once --note= --lamp=--odd")).toMatchObject({
      values: { lamp: "--odd", colour: "blue", note: "", atOnce: true },
    });
  });

  it.each([
    ["lamps", "there is no command"],
    ["lamps dim --lamp 7", "there is no command"],
    ["--lamp 7", "there is no command"],
    ["lamps tune --colour red", "--lamp ID is missing"],
    ["lamps tune --lamp 7 --colour green", "--colour must be one of red, blue"],
    ["lamps tune --lamp 7 --lamp 8 --colour red", "--lamp is given more than once"],
    ["lamps tune --lamp 7 --colour red --size 4", "--size"],
    ["lamps tune --lamp 7 --colour red extra", "extra"],
    ["lamps tune --lamp --colour red", "--lamp"],
    ["lamps tune --lamp 7 --colour red --at-once=no", "--at-once"],
    ["lamps tune --lamp 7 --colour red --at-once --at-once", "--at-once is given more than once"],
    ["lamps tune --lamp -7 --colour red", "--lamp=-…"],
    ["lamps tune --colour red --lamp", "--lamp"],
    ["lamps tune --lamp 7 --colour red -- --at-once", "unexpected argument '--at-once'"],
    ["lamps tune --lamp 7 --color red", "--color"],
  ])("%s is rejected", (words, complaint) => {
    expect(() => parse(words)).toThrow(UsageError);
    expect(() => parse(words)).toThrow(complaint);
  });

  it("an empty command line is rejected", () => {
    expect(() => parseWords([], [tune])).toThrow(UsageError);
  });

  it("lists may contain spaces and end in a comma", () => {
    expect(splitList(" BRL, MXN,,USDT,")).toEqual(["BRL", "MXN", "USDT"]);
    expect(splitList("")).toEqual([]);
  });
});

describe("help", () => {
  it.each(["--help", "lamps --help", "-h lamps tune"])("%s requests the general help", (words) => {
    expect(parse(words)).toEqual({ kind: "help", command: null });
  });

  it("--help anywhere in a command requests that command's help", () => {
    expect(parse("lamps tune --lamp 7 --help")).toEqual({ kind: "help", command: tune });
  });

  it("lists every command, and every option of each", () => {
    const general = generalHelp(COMMANDS);
    for (const command of COMMANDS) {
      expect(general).toContain(command.name);
      for (const { long } of parserOf(command).options) expect(commandHelp(command)).toContain(` ${long}`);
    }
  });

  it.each(["keys", "keys --help", "--help keys", "keys lose --public-key PK"])(
    "%s has the help of the noun",
    async (words) => {
      const names = (await commandsOfNoun(words.split(" "))).map(({ name }) => name);
      expect(names).toEqual(["keys create", "keys list", "keys roll", "keys revoke", "keys revoke-all"]);
    },
  );

  it.each(["", "--help", "key", "--help key", "keys-list"])("%j has the help of every noun", async (words) => {
    expect(await commandsOfNoun(words.split(" "))).toEqual(COMMANDS);
  });

  it("finds each command by its own noun", async () => {
    for (const { name } of COMMANDS) {
      const names = (await commandsOfNoun(name.split(" "))).map((command) => command.name);
      expect(names).toContain(name);
    }
  });

  it("shows optional options in brackets", () => {
    expect(commandHelp(tune)).toContain("lamps tune --lamp ID --colour red|blue [--note TEXT] [--at-once]");
  });
});
