import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { returnUrlFault } from "./return-url";

describe("a return URL", () => {
  it.each(["https://shop.example/orders/1001?from=pay#top", "HTTPS://shop.example", "https://bücher.example/bestellt"])(
    "%s is accepted in both environments",
    (text) => {
      expect(returnUrlFault(text, "test")).toBeNull();
      expect(returnUrlFault(text, "live")).toBeNull();
    },
  );

  it("may be http in the test environment only", () => {
    expect(returnUrlFault("http://localhost:3000/orders/1", "test")).toBeNull();
    expect(returnUrlFault("http://shop.example/", "live")).toBe("must be https with a live key");
  });

  it.each([
    "",
    "orders/1001",
    "//shop.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "https:shop.example",
    "https:///shop.example",
    "https://",
    "https://shop.example/a b",
    "https://shop.example/\n",
    " https://shop.example/",
    "java\tscript:alert(1)",
    "https:\\\\shop.example",
    "https://shop.example\\@evil.example/",
    "https://shop.example/\u202eslpx",
    "https://shop.example/\u200b",
    "https://shop@evil.example/",
    "https://a:b@shop.example/",
    "https://shop.example:99999/",
    "https://[::1/",
    `https://shop.example/${"a".repeat(2048)}`,
  ])("%j is refused", (text) => {
    expect(returnUrlFault(text, "test")).not.toBeNull();
    expect(returnUrlFault(text, "live")).not.toBeNull();
  });

  it.each([
    [`https://shop.example/${"a".repeat(2028)}`, "must have at most 2048 characters"],
    ["", "must not be empty or contain spaces, invisible characters or backslashes"],
    ["https://shop.example/a b", "must not be empty or contain spaces, invisible characters or backslashes"],
    ["orders/1001", "must be an absolute https URL, with a test key also http"],
    ["https://shop.example:99999/", "must be an absolute https URL, with a test key also http"],
    ["https://shop@evil.example/", "must not contain a user name or password"],
    ["https://:b@shop.example/", "must not contain a user name or password"],
  ])("%j: it %s", (text, fault) => {
    expect(returnUrlFault(text, "live")).toBe(fault);
  });

  it("may have 2048 characters", () => {
    expect(returnUrlFault(`https://shop.example/${"a".repeat(2027)}`, "live")).toBeNull();
  });

  it("is http or https without credentials after parsing, whatever is accepted", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("https://", "@", ":", "/", "\\", "shop.example"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const text = `https://${pieces.join("")}`;
        fc.pre(returnUrlFault(text, "live") === null);
        const url = new URL(text);
        expect([url.protocol, url.username, url.password]).toEqual(["https:", "", ""]);
        expect(url.hostname).not.toBe("");
      }),
    );
  });
});
