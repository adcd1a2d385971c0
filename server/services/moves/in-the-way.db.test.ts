// What is unique in a cell, and not in all of them.
import { expect, it } from "vitest";
import { inCell } from "@/server/platform/cell";
import { makeMember } from "@/server/testing/merchant";
import { eu2, main, makeOne, move, sql, threeCells } from "./testing/three-cells";

threeCells();

const PASSKEY = `INSERT INTO member_passkey (merchant_id, id, member_id, name, credential_id, public_key, counter, transports, created_at)
  VALUES ($1, $2, $3, 'key', 'same-credential-id', '\\x00', 0, '{}', now())`;

it("a passkey that a member of another merchant has registered in the new cell is named, and the merchant stays", async () => {
  const [merchant, neighbor] = [await makeOne(), await makeOne(eu2())];
  const member = await inCell(main(), () => makeMember(merchant, "a@b.example", "finance"));
  const other = await inCell(eu2(), () => makeMember(neighbor, "n@b.example", "finance"));
  await sql(main(), PASSKEY, merchant, "pky_01h455vb4pex5vsknk084sn02q", member);
  await sql(eu2(), PASSKEY, neighbor, "pky_01h455vb4pex5vsknk084sn03q", other);
  const inTheWay = { code: "validation_failed", message: expect.stringContaining("member_passkey") as string };
  expect(await move(merchant, eu2())).toMatchObject(inTheWay);
  await sql(eu2(), "DELETE FROM member_passkey WHERE merchant_id = $1", neighbor);
  expect(await move(merchant, eu2())).toMatchObject({ phase: "done" });
});
