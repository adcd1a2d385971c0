import { describe, expect, it } from "vitest";
import { inReadersWords } from "./readers-words";

const OURS = "The available balance does not cover it.";
const THEIRS = "El saldo disponible no lo cubre.";

describe("an answer in the reader's words", () => {
  it("has its sentences translated, in lists and in objects", () => {
    const answer = {
      lines: [{ message: OURS, reference: OURS }],
      detail: { why: "it names no intent", policy: "hold" },
      policy: "hold",
    };
    expect(inReadersWords("es", answer)).toEqual({
      lines: [{ message: THEIRS, reference: OURS }],
      detail: { why: "no indica ninguna operación", policy: "retener" },
      policy: "hold",
    });
    expect(answer.lines[0]?.message).toBe(OURS);
  });

  it("has warnings translated, which are lists", () =>
    expect(inReadersWords("es", { warnings: ["the active policy is unknown", "Karma"] })).toEqual({
      warnings: ["la política activa no es un valor conocido", "Karma"],
    }));

  it("keeps what was sent or received word for word", () => {
    const event = { body: { failure_message: OURS }, failure_message: OURS };
    expect(inReadersWords("es", event)).toEqual({ body: { failure_message: OURS }, failure_message: THEIRS });
  });

  it("keeps what others wrote, what is absent, and what is no plain object", () => {
    const at = new Date(0);
    const stream = new (class {
      message = OURS;
    })();
    const answer = { message: null, why: "Karma", at, stream, n: 1n };
    const shown = inReadersWords("pt-BR", answer);
    expect(shown).toEqual(answer);
    expect([shown.at, shown.stream]).toEqual([at, stream]);
  });

  it("is the same object in English", () => {
    const answer = { message: OURS };
    expect(inReadersWords("en", answer)).toBe(answer);
  });
});
