import { expect, it } from "vitest";
import { parseUrl } from "./url";

it("returns the URL, with a host in any script, on every call", () => {
  const hosts = new Set<string | undefined>();
  for (let round = 0; round < 20_000; round += 1) hosts.add(parseUrl("https://bücher.example/a")?.hostname);
  expect([...hosts]).toEqual(["xn--bcher-kva.example"]);
  expect(parseUrl("https://shop.example/a?b#c")?.href).toBe("https://shop.example/a?b#c");
});

it.each(["", "shop.example", "//shop.example", "https://", "http://[::1", "https://a b/"])("is null for %j", (text) => {
  expect(parseUrl(text)).toBeNull();
});
