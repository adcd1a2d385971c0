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
import { routeCases } from "./cases/routes";
import { unicodeCases } from "./cases/unicode";
import type { BadInput } from "./table";

/** Each category and the function that generates its requests, which are the same in every run. */
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
