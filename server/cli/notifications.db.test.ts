// Tests the commands for the operator's notifications: registrations for every merchant, in the operator's name.
import { afterAll, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { runCommand as run } from "./testing/run-command";

afterAll(disconnect);

const LIVE = ["--environment", "live"];
const SLACK = [...LIVE, "--channel", "slack", "--url", "https://9.9.9.9/services/hush"];

it("add, list, test and remove: a registration for the operator's subjects, whose URL is not shown again", async () => {
  const times = ["--pace", "daily", "--time-zone", "America/Sao_Paulo", "--daily-at", "08:30"];
  const added = await run("notifications", "add", ...SLACK, ...times, "--types", "exception_opened,security");
  expect(added).toMatchObject({
    environment: "live",
    channel: "slack",
    target: "9.9.9.9",
    types: ["exception_opened", "security"],
    pace: "daily",
    time_zone: "America/Sao_Paulo",
    daily_at: "08:30",
    quiet_hours: null,
    secret: null,
  });
  const id = String(added.id);
  const { secret: _, ...listed } = added;
  expect(await run("notifications", "list", ...LIVE)).toEqual({ data: [listed] });
  expect(await run("notifications", "list", "--environment", "test")).toEqual({ data: [] });
  expect(await run("notifications", "test", ...LIVE, "--id", id)).toEqual({ id, queued: true });
  expect(await run("notifications", "remove", ...LIVE, "--id", id)).toEqual({ id, removed: true });
  expect(await run("notifications", "list", ...LIVE)).toEqual({ data: [] });
  const entries = await query(
    "SELECT merchant_id, actor_type, action FROM audit_entry WHERE object_id = $1 ORDER BY id",
    id,
  );
  const act = (action: string) => ({
    merchant_id: "",
    actor_type: "operator",
    action: `notification_registration.${action}`,
  });
  expect(entries).toEqual([act("create"), act("delete")]);
});

it("the secret of a webhook is shown once", async () => {
  const webhook = [...LIVE, "--channel", "webhook", "--url", "https://9.9.9.9/hooks", "--quiet-hours", "22:00-07:00"];
  const added = await run("notifications", "add", ...webhook);
  expect(added).toMatchObject({
    quiet_hours: { from: "22:00", until: "07:00" },
    secret: expect.stringMatching(/^whsec_/),
  });
  expect(JSON.stringify(await run("notifications", "list", ...LIVE))).not.toContain("whsec_");
});

it.each([
  [["--types", "approval_waiting"], "types must be of"],
  [["--pace", "weekly"], "pace must be one of"],
  [["--time-zone", "Mars/Olympus"], "time_zone must be an IANA name"],
  [["--time-zone", "+03:00"], "time_zone must be an IANA name"],
  [["--daily-at", "9"], "daily_at must be a time of day"],
  [["--quiet-hours", "22:00"], "quiet_hours.until must be a time of day"],
  [["--quiet-hours", "22:00-22:00"], "quiet_hours must begin and end"],
  [["--email", "ops@sluice.example"], "email is for mail only"],
])("%s is refused: %s", async (words, message) => {
  expect(await run("notifications", "add", ...SLACK, ...words)).toMatchObject({
    code: "validation_failed",
    message: expect.stringContaining(message),
  });
});

it("mail needs an address and an SMTP server, and a URL must be public", async () => {
  const add = ["notifications", "add", ...LIVE, "--channel"];
  const refused = (message: string) => ({ code: "validation_failed", message: expect.stringContaining(message) });
  expect(await run(...add, "mail")).toMatchObject(refused("email is required"));
  expect(await run(...add, "mail", "--email", "ops@sluice.example")).toMatchObject(refused("SMTP_URL is not set"));
  expect(await run(...add, "slack", "--url", "https://10.0.0.1/")).toMatchObject(refused("must lead to public"));
  expect(await run("notifications", "remove", ...LIVE, "--id", "nrg_1")).toMatchObject({ code: "not_found" });
});
