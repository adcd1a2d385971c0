// Tests the records of answers: their order, and that polls count once.
import { expect, it } from "vitest";
import type { Answer } from "./api";
import { startRecording } from "./recorded-answers";

const answer = (status: number, text: string): Answer => ({
  status,
  text,
  headers: new Headers({ date: "now", "content-type": "application/json" }),
  body: null,
});
const POST = { method: "POST", path: "/payment_intents" };
const GET = { method: "GET", path: "/wallets" };

it("keeps the order of the calls when a later call is answered first", () => {
  const recording = startRecording();
  const [first, second] = [recording.begin(POST), recording.begin(GET)];
  second(answer(200, "{}"));
  first(answer(201, "[]"));
  expect(recording.lines()).toEqual([
    "POST /payment_intents → 201\ncontent-type: application/json\n[]",
    "GET /wallets → 200\ncontent-type: application/json\n{}",
  ]);
});

it("counts equal answers to a repeated GET once, and those to a repeated POST each", () => {
  const recording = startRecording();
  for (const status of [200, 200, 401]) recording.begin(GET)(answer(status, "{}"));
  for (const status of [201, 201]) recording.begin(POST)(answer(status, "{}"));
  expect(recording.lines().map((line) => line.split("\n")[0])).toEqual([
    "GET /wallets → 200",
    "GET /wallets → 401",
    "POST /payment_intents → 201",
    "POST /payment_intents → 201",
  ]);
});

it("shows a call that got no answer", () => {
  const recording = startRecording();
  recording.begin(GET);
  expect(recording.lines()).toEqual(["GET /wallets → no answer"]);
});
