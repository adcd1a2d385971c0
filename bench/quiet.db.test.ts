import { expect, it } from "vitest";
import { queryAsOwner } from "@/server/testing/owner";
import { untilQuiet } from "./quiet";

const database = { query: queryAsOwner };

it("waits for the end of a statement that an earlier load left, and for nothing else", async () => {
  await untilQuiet(database);
  let isEnded = false;
  const left = queryAsOwner("SELECT pg_sleep(1)").then(() => {
    isEnded = true;
  });
  await queryAsOwner("SELECT pg_sleep(0.1)");
  await untilQuiet(database);
  expect(isEnded).toBe(true);
  await left;
});
