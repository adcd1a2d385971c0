// Owns the list of tables: which categories there are, and what makes the cases of each.
import { amountCases } from "./cases/amounts";
import { attackCases } from "./cases/attacks";
import { codeCases } from "./cases/codes";
import { credentialCases } from "./cases/credentials";
import { cursorCases } from "./cases/cursors";
import { fieldKindCases } from "./cases/field-kinds";
import { filterCases } from "./cases/filters";
import { framingCases } from "./cases/framing";
import { idempotencyKeyCases } from "./cases/idempotency-keys";
import { idCases } from "./cases/ids";
import { jsonSyntaxCases } from "./cases/json-syntax";
import { mediaCases } from "./cases/media";
import { oddInputs } from "./cases/odd-and-right";
import { routeCases } from "./cases/routes";
import { unicodeCases } from "./cases/unicode";
import type { BadInput, OddInput } from "./table";

/** Category, which names its file, and the rules that make it; the same on every run. */
export const CATEGORIES: Readonly<Record<string, () => BadInput[]>> = {
  "json-syntax": jsonSyntaxCases,
  "field-kinds": fieldKindCases,
  amounts: amountCases,
  codes: codeCases,
  unicode: unicodeCases,
  ids: idCases,
  cursors: cursorCases,
  filters: filterCases,
  "idempotency-keys": idempotencyKeyCases,
  credentials: credentialCases,
  media: mediaCases,
  routes: routeCases,
  framing: framingCases,
  attacks: attackCases,
};

/** The one table of requests that are accepted. */
export const ODD_CATEGORY = "odd-and-right";
export const makeOddInputs: () => OddInput[] = oddInputs;
