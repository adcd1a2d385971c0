// Other languages than English are offered only once nothing that a page shows is left out of the catalogues.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { IS_DASHBOARD_TRANSLATED } from "@/server/domain/dashboard-languages";

/** Files that make words of codes which no catalogue knows. */
const CODES_AS_WORDS: readonly string[] = [];

/** Makes words of codes, but for the ones of a newer server: a zone's name, an unknown reason, an unknown action. */
const MAKES_WORDS = [
  ...CODES_AS_WORDS,
  "components/charts/day-frame.tsx",
  "components/exceptions/detail-facts.ts",
  "components/intents/booking-text.ts",
  "components/intents/timeline-items.ts",
  "components/notifications/registration-form.tsx",
  "components/notifications/words.ts",
  "components/shell/time-zone-choice.tsx",
  "components/wallet/movement-text.ts",
];

/** Components that are no part of the dashboard: the front page, and the documentation. */
const OTHER_PAGES = ["components/front/**", "components/guides/**"];

const Lint = z.object({
  overrides: z.array(
    z.object({
      files: z.array(z.string()),
      excludeFiles: z.array(z.string()).optional(),
      rules: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});

const config = Lint.parse(JSON.parse(readFileSync(".oxlintrc.json", "utf8").replaceAll(/^\s*\/\/.*$/gm, "")));
const RULE = "react/jsx-no-literals";

it("the linter rejects words in every component of the dashboard", () => {
  const rules = config.overrides.filter(({ rules: own }) => own && RULE in own);
  expect(rules).toHaveLength(1);
  expect(rules[0]?.files).toEqual(expect.arrayContaining(["app/(dashboard)/**/*.tsx", "components/**/*.tsx"]));
  expect(rules[0]?.excludeFiles).toEqual(OTHER_PAGES);
  expect(Array.isArray(rules[0]?.rules?.[RULE]) && rules[0].rules[RULE][0]).toBe("error");
});

it("only the files that are listed here make words of codes", () => {
  const files = readdirSync("components", { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => join("components", file))
    .filter((file) => readFileSync(file, "utf8").includes('.replaceAll("_", " ")'));
  expect(files.sort()).toEqual([...MAKES_WORDS].sort());
});

it("another language is offered only if nothing is left", () =>
  expect(IS_DASHBOARD_TRANSLATED && CODES_AS_WORDS.length > 0).toBe(false));
