import { describe, expect, it } from "vitest";
import { ENGLISH } from "@/server/contract/languages";
import { readerOf } from "./reader";

const PAGE = "/pay/dord_1";

function reader(acceptLanguage: string | null, path = PAGE) {
  const headers = new Headers({ "x-sluice-path": path });
  if (acceptLanguage !== null) headers.set("accept-language", acceptLanguage);
  return readerOf(headers);
}

describe("the reader of the payer's page", () => {
  it.each([
    ["pt-BR,pt;q=0.9,en;q=0.8", { language: "pt-BR", locale: "pt-BR" }],
    ["pt-PT", { language: "pt-BR", locale: "pt-PT" }],
    ["pt", { language: "pt-BR", locale: "pt" }],
    ["es-MX,es;q=0.9", { language: "es", locale: "es-MX" }],
    ["es-419", { language: "es", locale: "es-419" }],
    ["id", { language: "id", locale: "id" }],
    ["in-ID", { language: "id", locale: "id-ID" }],
    ["th-TH,en;q=0.5", { language: "th", locale: "th-TH" }],
    ["vi", { language: "vi", locale: "vi" }],
    ["ja-JP", { language: "ja", locale: "ja-JP" }],
    ["ko-KR", { language: "ko", locale: "ko-KR" }],
    ["ar-EG", { language: "ar", locale: "ar-EG" }],
    ["en;q=0.1, ja;q=0.9", { language: "ja", locale: "ja" }],
    ["de-DE,ko;q=0.5", { language: "ko", locale: "ko" }],
    ["EN-gb", { language: "en", locale: "en-GB" }],
  ])("%s", (header, expected) => expect(reader(header)).toEqual({ ...expected, query: "" }));

  it.each([null, "", "*", "xx", "de-DE", "!", "es;q=0", "-,;q=,", "a".repeat(100_000), "es,".repeat(10_000)])(
    "English for others: %.20s",
    (header) => expect(reader(header)).toEqual(ENGLISH),
  );

  it("the address decides first, and the browser's region stays where it fits", () => {
    expect(reader("pt-BR", `${PAGE}?lang=es`)).toEqual({ language: "es", locale: "es", query: "?lang=es" });
    expect(reader("es-MX,pt", `${PAGE}?lang=ES`)).toEqual({ language: "es", locale: "es-MX", query: "?lang=es" });
    expect(reader("ja", `${PAGE}?lang=tlh`)).toEqual({ language: "ja", locale: "ja", query: "" });
  });

  it("other pages are English", () => {
    expect(reader("pt-BR", "/sign-in?lang=es")).toEqual(ENGLISH);
    expect(readerOf(new Headers({ "accept-language": "pt-BR" }))).toEqual(ENGLISH);
  });
});
