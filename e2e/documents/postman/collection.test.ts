// Proves that the checked-in collection is what the OpenAPI document generates.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROJECT_ROOT } from "../../support/service-process";
import { type Described, postmanCollection } from "./collection";

it("docs/postman.json is what docs/openapi.json generates (rewrite it with `npm run openapi`)", async () => {
  const document = JSON.parse(readFileSync(join(PROJECT_ROOT, "docs/openapi.json"), "utf8")) as Described;
  const text = `${JSON.stringify(postmanCollection(document), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot("../../../docs/postman.json");
});
