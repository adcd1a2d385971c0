// Saved views: kept for one member, merchant, environment and list; named apart; no more than fifty.
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { disconnect } from "@/server/db/client";
import { LONGEST_VIEW_NAME, LONGEST_VIEW_QUERY, MAXIMUM_VIEWS, type ViewShelf } from "@/server/domain/saved-view";
import { newId } from "@/server/platform/ids";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { removeSavedView, renameSavedView, savedViews, saveView } from "./saved-views";

afterAll(() => disconnect());

let merchant: TestMerchant;
let shelf: ViewShelf;

function shelfOf({ scope, byMember }: TestMerchant): ViewShelf {
  return { ...scope, memberId: byMember().actor.id, list: "payouts" };
}

beforeEach(async () => {
  merchant = await makeMerchant();
  shelf = shelfOf(merchant);
});

const QUERY = "country=BR&status=failed";
const NAME_REFUSED = { code: "validation_failed", message: expect.stringMatching(/^name /) };
const TAKEN = { code: "validation_failed", message: "name is the name of another of your views of this list" };
const NOT_FOUND = { code: "not_found" };
const namesOf = async (of: ViewShelf) => (await savedViews(of)).map(({ name }) => name);

describe("a view", () => {
  it("is kept as it was saved, and listed by name", async () => {
    const late = await saveView(shelf, { name: "late", query: QUERY });
    const all = await saveView(shelf, { name: "Everything", query: "" });
    expect(late).toEqual({ id: expect.stringMatching(/^view_/), name: "late", query: QUERY });
    expect(await savedViews(shelf)).toEqual([all, late]);
  });

  it("is its member's, in one merchant, environment and list: no other sees, renames or removes it", async () => {
    const { id } = await saveView(shelf, { name: "Mine", query: QUERY });
    const others: ViewShelf[] = [
      shelfOf(merchant),
      shelfOf(await makeMerchant()),
      { ...shelf, environment: "live" },
      { ...shelf, merchantId: (await makeMerchant()).merchantId },
    ];
    for (const other of others) {
      expect(await savedViews(other)).toEqual([]);
      await expect(renameSavedView(other, id, "Theirs")).rejects.toMatchObject(NOT_FOUND);
      await expect(removeSavedView(other, id)).rejects.toMatchObject(NOT_FOUND);
    }
    expect(await savedViews({ ...shelf, list: "payments" })).toEqual([]);
    expect(await savedViews(shelf)).toEqual([{ id, name: "Mine", query: QUERY }]);
  });

  it("is renamed, capitals of its own name among it, and keeps what it shows", async () => {
    const { id } = await saveView(shelf, { name: "late", query: QUERY });
    for (const name of ["Late", "Overdue"])
      expect(await renameSavedView(shelf, id, name)).toEqual({ id, name, query: QUERY });
    expect(await savedViews(shelf)).toEqual([{ id, name: "Overdue", query: QUERY }]);
  });

  it("is removed once; its name is free again", async () => {
    const { id } = await saveView(shelf, { name: "Late", query: QUERY });
    await removeSavedView(shelf, id);
    expect(await savedViews(shelf)).toEqual([]);
    await expect(removeSavedView(shelf, id)).rejects.toMatchObject(NOT_FOUND);
    await expect(renameSavedView(shelf, id, "Later")).rejects.toMatchObject(NOT_FOUND);
    await saveView(shelf, { name: "Late", query: "" });
  });

  it("that there is not is not found, whatever it is called", async () => {
    for (const id of [newId("savedView"), "", "view_1", newId("member"), "x\0"]) {
      await expect(renameSavedView(shelf, id, "Late")).rejects.toMatchObject(NOT_FOUND);
      await expect(removeSavedView(shelf, id)).rejects.toMatchObject(NOT_FOUND);
    }
  });
});

describe("a name", () => {
  it("is taken in whatever capitals, on its own shelf and no other", async () => {
    await saveView(shelf, { name: "Früh morgens", query: QUERY });
    const { id } = await saveView(shelf, { name: "Other", query: "" });
    for (const name of ["Früh morgens", "FRÜH MORGENS", "fru\u0308h morgens"]) {
      await expect(saveView(shelf, { name, query: "" })).rejects.toMatchObject(TAKEN);
      await expect(renameSavedView(shelf, id, name)).rejects.toMatchObject(TAKEN);
    }
    expect(await namesOf(shelf)).toEqual(["Früh morgens", "Other"]);
    for (const other of [
      { ...shelf, list: "topups" as const },
      { ...shelf, environment: "live" as const },
      shelfOf(merchant),
    ])
      await saveView(other, { name: "Früh morgens", query: QUERY });
  });

  it("has 1 to 60 characters, counted as people count", async () => {
    for (const name of ["", " ", " padded", "x".repeat(LONGEST_VIEW_NAME + 1), "😀".repeat(LONGEST_VIEW_NAME + 1)]) {
      await expect(saveView(shelf, { name, query: QUERY })).rejects.toMatchObject(NAME_REFUSED);
    }
    const { id } = await saveView(shelf, { name: "😀".repeat(LONGEST_VIEW_NAME), query: QUERY });
    await expect(renameSavedView(shelf, id, "")).rejects.toMatchObject(NAME_REFUSED);
    expect((await renameSavedView(shelf, id, "x")).name).toBe("x");
  });
});

describe("too much", () => {
  it("a query of more than 2,000 characters is refused, one of 2,000 kept", async () => {
    const query = `merchant_reference=${"x".repeat(LONGEST_VIEW_QUERY)}`;
    await expect(saveView(shelf, { name: "Long", query })).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringMatching(/^query /),
    });
    const kept = query.slice(0, LONGEST_VIEW_QUERY);
    expect((await saveView(shelf, { name: "Long", query: kept })).query).toBe(kept);
  });

  it("of sixty saved at the same moment fifty are kept; one that goes makes room", async () => {
    const attempts = Array.from({ length: MAXIMUM_VIEWS + 10 }, (_, number) =>
      saveView(shelf, { name: `View ${number}`, query: QUERY }).then(
        () => "kept",
        (error: Error) => error.message,
      ),
    );
    const outcomes = await Promise.all(attempts);
    expect(outcomes.filter((outcome) => outcome === "kept")).toHaveLength(MAXIMUM_VIEWS);
    const refused = new Set(outcomes.filter((outcome) => outcome !== "kept"));
    expect([...refused]).toEqual(["list payouts already has 50 of your views: delete one first"]);
    const kept = await savedViews(shelf);
    expect(kept).toHaveLength(MAXIMUM_VIEWS);
    await saveView({ ...shelf, list: "payments" }, { name: "Elsewhere", query: "" });
    await removeSavedView(shelf, kept[0]?.id ?? "");
    await saveView(shelf, { name: "Room", query: "" });
    expect(await savedViews(shelf)).toHaveLength(MAXIMUM_VIEWS);
  });

  it("of ten that save one name at the same moment one succeeds", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, number) => saveView(shelf, { name: "Same", query: `country=B${number}` })),
    );
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
    expect(refused).toMatchObject(Array.from({ length: 9 }, () => TAKEN));
    expect(await namesOf(shelf)).toEqual(["Same"]);
  });
});
