import { describe, expect, it } from "vitest";
import { languageOfPage } from "./page-language";

const nobody = async () => null;
const of = (path: string, acceptLanguage: string | null) => languageOfPage({ path, acceptLanguage, chosen: nobody });

describe("the language of a page", () => {
  it.each([
    ["pt-BR,pt;q=0.9,en;q=0.8", "pt-BR"],
    ["pt-PT", "pt-BR"],
    ["es-MX,es;q=0.9", "es"],
    ["en-US,en;q=0.9,es;q=0.1", "en"],
    ["de,fr", "en"],
    ["*", "en"],
    ["x".repeat(5_000), "en"],
    [";;;q=,,", "en"],
    [null, "en"],
  ])("%s: %s", async (header, language) => expect(await of("/test/payouts?queue=mine", header)).toBe(language));

  it("is the one that the member has chosen, whatever the browser accepts", async () => {
    const chosen = async () => "es" as const;
    expect(await languageOfPage({ path: "/live", acceptLanguage: "pt-BR", chosen })).toBe("es");
  });

  it.each(["/", "/?x", "/docs", "/docs/api", "/pay/dord_1"])("%s has no catalogue", async (path) =>
    expect(await of(path, "pt-BR")).toBe("en"),
  );

  it.each(["/test", "/live/payouts", "/sign-in?next=%2Ftest", "/welcome", "/dashboard", "/no-such-page", "/payments"])(
    "%s has one",
    async (path) => expect(await of(path, "pt-BR")).toBe("pt-BR"),
  );
});
