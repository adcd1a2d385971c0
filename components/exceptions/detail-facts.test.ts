import { expect, it } from "vitest";
import { dashboardTexts } from "../i18n/catalogues";
import { detailFacts } from "./detail-facts";

const texts = dashboardTexts("en");

it("shows sums as decimals with their currency", () => {
  const detail = {
    provider: "acme",
    amount: "7490",
    currency: "BRL",
    why: "our books have 75.00 BRL",
    reported_amount: "1250",
    reported_currency: "KWD",
    receipt_id: null,
  };
  expect(detailFacts(texts, detail)).toEqual([
    ["Provider", "acme"],
    ["Why", "our books have 75.00 BRL"],
    ["Reported amount", "1.250 KWD"],
  ]);
});

it("leaves decimal sums as they are, and names the unit of a currency that nobody knows", () => {
  expect(detailFacts(texts, { why: "our books have 75.00 BRL" })).toEqual([["Why", "our books have 75.00 BRL"]]);
  expect(detailFacts(texts, { reported_amount: "5", reported_currency: "ZZZ" })).toEqual([
    ["Reported amount", "5 minor units of ZZZ"],
  ]);
});

it("labels members in the reader's language, and one that it does not know by its name", () => {
  const detail = { why: "nossos livros têm 75,00 BRL", booked_to: "conta transitória", new_member: "x" };
  expect(detailFacts(dashboardTexts("pt-BR"), detail)).toEqual([
    ["Explicação", "nossos livros têm 75,00 BRL"],
    ["Lançado em", "conta transitória"],
    ["New member", "x"],
  ]);
});
