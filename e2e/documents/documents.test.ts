import { describe, expect, it } from "vitest";
import { differenceFrom, missingLine } from "./shown";
import { parseSteps } from "./steps";

const DOCUMENT = `
# Title

\`\`\`sh terminal=service
npm start
\`\`\`

\`\`\`text
ready
\`\`\`

Open the page and
press **Pay**, then:

\`\`\`sh terminal=2
cat <<'END'
two
END
\`\`\`

\`\`\`http
GET /never
\`\`\`

\`\`\`json
{ "id": "dord_…" }
\`\`\`
`;

describe("steps of a document", () => {
  it("come in order, in the terminal named last; other blocks are not steps", () => {
    expect(parseSteps(DOCUMENT)).toEqual([
      { kind: "commands", terminal: "service", text: "npm start" },
      { kind: "text", terminal: "service", text: "ready" },
      { kind: "press", button: "Pay" },
      { kind: "commands", terminal: "2", text: "cat <<'END'\ntwo\nEND" },
      { kind: "json", terminal: "2", text: '{ "id": "dord_…" }' },
    ]);
  });
});

describe("a shown answer", () => {
  const actual = { id: "dord_1", status: "failed", data: [{ code: "A" }, { code: "B" }], none: null };

  it.each([[{ id: "dord_…" }], [{ id: "dord_1", status: "failed" }], [{ data: [{ code: "B" }] }], [{ none: null }]])(
    "%j is part of the answer",
    (shown) => {
      expect(differenceFrom(shown, actual)).toBeNull();
    },
  );

  it.each([
    [{ id: "word_…" }, "answer.id"],
    [{ id: "dord_1…" }, "answer.id"],
    [{ status: "succeeded" }, "answer.status"],
    [{ absent: null }, "answer.absent"],
    [{ data: [{ code: "A" }, { code: "A" }] }, "answer.data[1]"],
    [{ data: {} }, "answer.data"],
    [{ none: {} }, "answer.none"],
    [["dord_1"], "answer"],
  ])("%j differs at %s", (shown, path) => {
    expect(differenceFrom(shown, actual)).toBe(path);
  });

  it("of lines needs each of them whole and in order", () => {
    const output = "> start\nready on port 1\nverify with whsec_a+/=\n";
    expect(missingLine("ready on port 1\nverify with whsec_…", output)).toBeNull();
    expect(missingLine("ready on port", output)).toBe("ready on port");
    expect(missingLine("verify with whsec_…\nready on port 1", output)).toBe("ready on port 1");
  });
});
