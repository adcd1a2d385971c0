// The metrics of the work that waits, read from the database. They are the same for every process over one database.
import { type Pauses, readPauses } from "@/server/db/dispatch-pauses";
import { countMisplacedAcrossMerchants, type MisplacedMerchants } from "@/server/db/merchant-stays";
import { readWaitingWorkAcrossMerchants, type WaitingWork } from "@/server/db/waiting-work";
import { allCells, cellLabel, currentCell, inEachCell, perCell } from "@/server/platform/cell";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { expositionOf, type Family, joinExpositions } from "@/server/platform/metrics/exposition";

/** Several scrapers, or impatient ones, cost the database no more than one. */
const READ_EVERY_MS = 5_000;

type Samples = Family["samples"];

function gauge(name: Family["name"], help: string, labelNames: readonly string[], samples: Samples): Family {
  return { name, type: "gauge", help, labelNames, samples };
}

function single(name: Family["name"], help: string, value: number): Family {
  return gauge(name, help, [], [{ labels: {}, value }]);
}

/** The oldest of each combination of the labels. */
function oldest(rows: Samples): Samples {
  const byLabels = new Map<string, Samples[number]>();
  for (const row of rows) {
    const key = JSON.stringify(row.labels);
    if (row.value >= (byLabels.get(key)?.value ?? 0)) byLabels.set(key, row);
  }
  return [...byLabels.values()];
}

function familiesOf(work: WaitingWork, pauses: Pauses): Family[] {
  const { openIntents, overdue, exceptions, unlinkedAudit } = work;
  return [
    gauge(
      "sluice_open_intents",
      "Intents that have not ended, by the time since their creation; at most 10000 of each kind are counted.",
      ["kind", "environment", "status", "age"],
      openIntents.map(({ kind, environment, status, age, count }) => ({
        labels: { kind, environment, status, age },
        value: count,
      })),
    ),
    gauge(
      "sluice_open_intents_oldest_seconds",
      "Time since the creation of the oldest counted intent that has not ended.",
      ["kind", "environment", "status"],
      oldest(
        openIntents.map(({ kind, environment, status, oldest_seconds: value }) => ({
          labels: { kind, environment, status },
          value,
        })),
      ),
    ),
    gauge(
      "sluice_overdue_items",
      "Work that is due and that no worker has begun; at most 10000 of each are counted.",
      ["work"],
      overdue.map(({ work: name, count }) => ({ labels: { work: name }, value: count })),
    ),
    gauge(
      "sluice_overdue_seconds",
      "How long the first of the overdue work has been due.",
      ["work"],
      overdue.map(({ work: name, seconds }) => ({ labels: { work: name }, value: seconds })),
    ),
    single(
      "sluice_deliveries_pending",
      "Webhook deliveries that wait for their first or next attempt; at most 10000 are counted.",
      work.pendingDeliveries,
    ),
    single(
      "sluice_audit_unlinked_entries",
      "Audit entries that are not in their chain yet; at most 10000 are counted.",
      unlinkedAudit.count,
    ),
    single("sluice_audit_unlinked_seconds", "How long the first of them has waited.", unlinkedAudit.seconds),
    single(
      "sluice_figures_unfolded_links",
      "Audit links that the stored figures of the overview do not include yet.",
      work.unfoldedLinks,
    ),
    single(
      "sluice_search_unfilled_links",
      "Audit links whose intents are not in the search table yet.",
      work.unfilledLinks,
    ),
    gauge(
      "sluice_exceptions_open",
      "Exceptions that wait for a person; at most 10000 are counted.",
      ["kind", "environment"],
      exceptions.map(({ kind, environment, count }) => ({ labels: { kind, environment }, value: count })),
    ),
    gauge(
      "sluice_exceptions_oldest_seconds",
      "How long the oldest of them has been open.",
      ["kind", "environment"],
      exceptions.map(({ kind, environment, oldest_seconds: value }) => ({ labels: { kind, environment }, value })),
    ),
    gauge(
      "sluice_dispatch_paused",
      "Reasons to send nothing new: DISPATCH=off (setting), pauses by operators (operator), payouts of a restored database (restore).",
      ["cause"],
      [
        { labels: { cause: "setting" }, value: env().dispatch === "off" ? 1 : 0 },
        { labels: { cause: "operator" }, value: pauses.open.length },
        { labels: { cause: "restore" }, value: pauses.isRestored ? 1 : 0 },
      ],
    ),
    single("sluice_merchants_suspended", "Suspended merchants.", pauses.suspended.length),
  ];
}

function misplacedFamily({ inTwoCells, inNoCell, inUnknownCell, closed }: MisplacedMerchants): Family {
  return gauge(
    "sluice_merchants_misplaced",
    "Merchants that have moved from the cell and were open here as well until they were closed (in_two_cells), that no cell has (in_no_cell), or that are in a cell that CELLS lacks (in_unknown_cell); and those whose move has kept them closed for over a minute (closed).",
    ["trouble"],
    [
      { labels: { trouble: "in_two_cells" }, value: inTwoCells },
      { labels: { trouble: "in_no_cell" }, value: inNoCell },
      { labels: { trouble: "in_unknown_cell" }, value: inUnknownCell },
      { labels: { trouble: "closed" }, value: closed },
    ],
  );
}

/** A process with one cell counts too: it may lack the cell to which a merchant has moved. */
async function readMisplaced(): Promise<Family> {
  return misplacedFamily(await countMisplacedAcrossMerchants(allCells().map(({ name }) => name)));
}

/** With the cell, if there are several. */
function labelled(family: Family): Family {
  const label = cellLabel(currentCell().name);
  const samples = family.samples.map(({ labels, value }) => ({ labels: { ...labels, ...label }, value }));
  return { ...family, labelNames: [...family.labelNames, ...Object.keys(label)], samples };
}

/** Reads the work; without an answer of the database, all that is known is that there is none. */
async function read(): Promise<string> {
  const isUp = (value: 0 | 1) => single("sluice_database_up", "1 if the database answered the last reading.", value);
  try {
    const work = await readWaitingWorkAcrossMerchants();
    const families = [isUp(1), ...familiesOf(work, await readPauses()), await readMisplaced()];
    return await expositionOf(families.map(labelled));
  } catch (error) {
    log().warn({ err: error }, "the work that waits could not be read for the metrics");
    return expositionOf([labelled(isUp(0))]);
  }
}

interface Reading {
  readonly readAt: number;
  readonly text: Promise<string>;
}

const latestOfCell = perCell((): { reading: Reading | null } => ({ reading: null }));

function ofCell(): Promise<string> {
  const latest = latestOfCell();
  if (!latest.reading || performance.now() - latest.reading.readAt > READ_EVERY_MS)
    latest.reading = { readAt: performance.now(), text: read() };
  return latest.reading.text;
}

/** Returns the metrics of the work that waits in all cells as text, at most five seconds old. Never throws. */
export async function workExposition(): Promise<string> {
  return joinExpositions(await inEachCell(ofCell));
}
