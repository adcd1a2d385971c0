// Proves that the checked-in OpenAPI document is the one that is served, and that it covers the whole route table.
import { expect, it } from "vitest";
import { ERROR_STATUS } from "@/server/domain/errors";
import { openApiDocument, openApiText } from "./openapi";
import { OPERATIONS } from "./routes";

it("docs/openapi.json is what the route table generates (rewrite it with `npm run openapi`)", async () => {
  await expect(openApiText()).toMatchFileSnapshot("../../docs/openapi.json");
});

it("every operation of the route table is in the document once", () => {
  const documented = Object.entries(openApiDocument().paths ?? {}).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routed = OPERATIONS.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
  expect(documented.sort()).toEqual(routed.sort());
});

it("every documented answer is a success of the operation, a 304, or a status of the error table", () => {
  const statuses = new Set<number>(Object.values(ERROR_STATUS));
  for (const item of Object.values(openApiDocument().paths ?? {})) {
    for (const operation of Object.values(item) as { responses: Record<string, unknown> }[]) {
      for (const status of Object.keys(operation.responses).map(Number)) {
        expect(status < 400 || statuses.has(status), String(status)).toBe(true);
      }
    }
  }
});
