// Passwords that a guesser tries first are rejected; ordinary ones are not.
import { describe, expect, it } from "vitest";
import { ServiceError } from "@/server/domain/errors";
import { requireGoodPassword } from "./password-rules";

const OWNER = { email: "eva.lindqvist@padaria.example", merchantName: "Padaria Estrela" };
const choose = (password: string) => () => requireGoodPassword(password, OWNER);
const refused = (text: string) => new ServiceError("validation_failed", `password ${text}`);
const TOO_EASY =
  "is too easy to guess: it is common, repeats itself, or resembles your address or your merchant's name";

describe("a password", () => {
  it.each([
    "passwordpassword",
    "Password123!",
    "P@ssw0rd2026!",
    "qwertyuiop12",
    "123456789012",
    "letmeinletmein",
    "aaaaaaaaaaaaaaaaaaaaaaaa",
    "iloveyou1234",
  ])("that is common or a variation of a common one is rejected: %s", (password) =>
    expect(choose(password)).toThrow(refused(TOO_EASY)),
  );

  it.each([
    "eva.lindqvist@padaria.example",
    "Eva.Lindqvist1",
    "PadariaPadaria",
    "padaria estrela",
    "Padaria Estrela 2026",
  ])("that is the owner's address, a part of it, or the merchant's name is rejected: %s", (password) =>
    expect(choose(password)).toThrow(refused(TOO_EASY)),
  );

  it("of fewer than 12 or more than 1024 characters is rejected", () => {
    expect(choose("xK9#mQ2$vL")).toThrow(refused("must have at least 12 characters"));
    expect(choose("ab1 ".repeat(257))).toThrow(refused("must have at most 1024 characters"));
  });

  it.each([
    "correct horse battery",
    "seven green lamps",
    "xK9#mQ2$vL7!",
    "}&~/;(^%]?=<",
    "pão de queijo às nove",
    "ключи на старом столе",
  ])("that is none of these is accepted: %s", (password) => expect(choose(password)).not.toThrow());

  it("of 1024 characters is accepted, and estimated in bounded time", () => {
    const words = Array.from({ length: 256 }, (_, index) => `${(index * 7919).toString(36)}-`).join("");
    expect(choose(words.slice(0, 1_024))).not.toThrow();
  });
});
