import { describe, expect, it } from "vitest";
import { helpText, readCommandLine } from "./command-line.js";
import { EVENT_TYPES } from "./event-types.js";
import { describeFailure, exitStatusOf } from "./failure.js";
import { printable } from "./terminal.js";

function failureOf(words: readonly string[]) {
  try {
    readCommandLine(words);
    return null;
  } catch (error) {
    return describeFailure(error);
  }
}

describe("a command line", () => {
  it("names a command, its words and its options in any order", () => {
    const { command, given } = readCommandLine(["--json", "events", "resend", "--forward-to=4000", "evt_1"]);
    expect(command?.name).toBe("events resend");
    expect(given.words).toEqual(["evt_1"]);
    expect([given.has("json"), given.value("forward-to"), given.value("since")]).toEqual([true, "4000", undefined]);
  });

  it.each([
    [["nothing"], "There is no command nothing."],
    [["events"], "There is no command events. Commands of it: events list, events resend."],
    [["events", "resend"], "events resend needs ID."],
    [["events", "resend", "evt_1", "evt_2"], "events resend takes no evt_2."],
    [["logs", "--since", "x"], "logs has no option --since."],
    [["listen", "--forward-to", "1", "--forward-to", "2"], "--forward-to is given twice."],
    [["listen", "--secret", "x"], "Unknown option '--secret'."],
  ])("%j is rejected", (words, message) => {
    const failure = failureOf(words);
    expect(failure).toEqual({ code: "usage", message, request_id: null });
    expect(failure && exitStatusOf(failure)).toBe(2);
  });

  it("takes no key: other users of the machine could read it", () => {
    for (const option of ["--key", "--secret-key", "--api-key"])
      expect(failureOf(["login", option, "sk_test_a"])?.code).toBe("usage");
  });
});

describe("the help", () => {
  it("lists every command, and of a command every option", () => {
    const text = helpText(null);
    for (const name of ["login", "logout", "listen", "trigger EVENT", "logs [ID]", "events list", "events resend ID"])
      expect(text).toContain(`  ${name} `);
    const { command } = readCommandLine(["trigger", "--help"]);
    for (const type of EVENT_TYPES) expect(helpText(command)).toContain(type);
    expect(helpText(command)).toContain("--wait");
  });
});

it("text of a service cannot control the terminal", () => {
  expect(printable("a\u001b[2Jb\u009b1m\r\nc")).toBe("a\u{fffd}[2Jb\u{fffd}1m\u{fffd}\nc");
});
