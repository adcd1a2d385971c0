/**
 * Returns a copy of an encrypted token (a JWE of five parts) for each of its parts that is not empty, with one bit of
 * that part flipped. Replacing its last letters by fixed ones would leave one token in 256 as it was.
 */
export function alteredCopies(token: string): string[] {
  const parts = token.split(".");
  return parts.flatMap((part, n) => {
    const bytes = Buffer.from(part, "base64url");
    if (bytes.length === 0) return [];
    const middle = bytes.length >> 1;
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
    return [parts.with(n, bytes.toString("base64url")).join(".")];
  });
}
