// List cursors: a position, authenticated and bound to the merchant, environment and route that it was issued for.

import { validationError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import { equalTexts, hmacHex } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";
import type { PagePosition } from "@/server/services/page";

const MAC_CHARACTERS = 32;

function mac(key: Buffer, scope: Scope, route: string, position: string): string {
  return hmacHex(key, `${scope.merchantId}|${scope.environment}|${route}|${position}`).slice(0, MAC_CHARACTERS);
}

/** Encodes a position as opaque text. */
export function encodeCursor(scope: Scope, route: string, { createdAt, id }: PagePosition): string {
  const position = `${createdAt.getTime()}.${id}`;
  const { key } = keyRing().current("cursor-mac");
  return Buffer.from(`${position}.${mac(key, scope, route, position)}`).toString("base64url");
}

/** Decodes the position of a cursor. Throws validation_failed for a malformed, altered or foreign one. */
export function decodeCursor(scope: Scope, route: string, cursor: string): PagePosition {
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const [milliseconds = "", id = "", given = ""] = text.split(".");
  const position = `${milliseconds}.${id}`;
  const isAuthentic =
    Buffer.from(text).toString("base64url") === cursor &&
    text === `${position}.${given}` &&
    keyRing()
      .all("cursor-mac")
      .some(({ key }) => equalTexts(mac(key, scope, route, position), given));
  if (!isAuthentic) throw validationError("cursor", "is not a cursor of this list");
  return { createdAt: new Date(Number(milliseconds)), id };
}
