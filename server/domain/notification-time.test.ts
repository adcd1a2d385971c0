import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterQuietHours, firstSendAt, minuteText, type NotificationSchedule, readMinute } from "./notification-time";
import { wallClock } from "./wall-clock";

const SCHEDULE: NotificationSchedule = { pace: "immediate", timeZone: "UTC", dailyAt: 540, quiet: null };
const sent = (changes: Partial<NotificationSchedule>, at: string) =>
  firstSendAt({ ...SCHEDULE, ...changes }, new Date(at)).toISOString();
const NIGHT = { from: 22 * 60, until: 7 * 60 };

describe("the first sending", () => {
  it("is a few seconds later, so that a burst becomes one message", () => {
    expect(sent({}, "2026-11-24T10:15:00.000Z")).toBe("2026-11-24T10:15:05.000Z");
  });

  it("is at the next full hour, or at the chosen time of the next day", () => {
    expect(sent({ pace: "hourly" }, "2026-11-24T10:15:00.000Z")).toBe("2026-11-24T11:00:00.000Z");
    expect(sent({ pace: "hourly" }, "2026-11-24T11:00:00.000Z")).toBe("2026-11-24T12:00:00.000Z");
    expect(sent({ pace: "daily" }, "2026-11-24T08:59:59.999Z")).toBe("2026-11-24T09:00:00.000Z");
    expect(sent({ pace: "daily" }, "2026-11-24T09:00:00.000Z")).toBe("2026-11-25T09:00:00.000Z");
  });

  it("follows the clocks of the zone, also on the day on which they change", () => {
    const zone = { pace: "daily", timeZone: "Europe/Berlin" } as const;
    expect(sent(zone, "2026-03-28T09:00:00.000Z")).toBe("2026-03-29T07:00:00.000Z");
    expect(sent(zone, "2026-10-24T09:00:00.000Z")).toBe("2026-10-25T08:00:00.000Z");
    // 02:30 does not exist on this day.
    expect(sent({ ...zone, dailyAt: 150 }, "2026-03-29T00:00:00.000Z")).toBe("2026-03-29T01:30:00.000Z");
  });

  it("waits for the end of quiet hours, before and after midnight", () => {
    const quiet = { quiet: NIGHT, timeZone: "America/Sao_Paulo" };
    expect(sent(quiet, "2026-11-24T02:00:00.000Z")).toBe("2026-11-24T10:00:00.000Z");
    expect(sent(quiet, "2026-11-24T05:00:00.000Z")).toBe("2026-11-24T10:00:00.000Z");
    expect(sent({ ...quiet, pace: "hourly" }, "2026-11-24T00:30:00.000Z")).toBe("2026-11-24T10:00:00.000Z");
    expect(sent(quiet, "2026-11-24T15:00:00.000Z")).toBe("2026-11-24T15:00:05.000Z");
  });

  it("of the daily message is as chosen, also within quiet hours", () => {
    expect(sent({ pace: "daily", dailyAt: 60, quiet: NIGHT }, "2026-11-24T10:00:00.000Z")).toBe(
      "2026-11-25T01:00:00.000Z",
    );
  });
});

it("nothing is sent in quiet hours, and the wait is less than two days, in any zone at any time", () => {
  const minute = fc.integer({ min: 0, max: 1_439 });
  const zone = fc.constantFrom("UTC", "Asia/Kathmandu", "America/New_York", "Pacific/Apia", "Australia/Lord_Howe");
  const instant = fc.date({ min: new Date("2020-01-01"), max: new Date("2035-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(minute, minute, zone, instant, (from, until, timeZone, at) => {
      fc.pre(from !== until);
      const later = afterQuietHours({ quiet: { from, until }, timeZone }, at);
      const waited = later.getTime() - at.getTime();
      expect(waited).toBeGreaterThanOrEqual(0);
      expect(waited).toBeLessThan(2 * 24 * 60 * 60_000);
      const { hour, minute: shown } = wallClock(later.getTime(), timeZone);
      const passed = (hour * 60 + shown - until + 1_440) % 1_440;
      // A clock that skips the end of the quiet hours shows at most an hour more.
      expect(waited === 0 || passed <= 60).toBe(true);
    }),
  );
});

it("times of day are read and written as people write them", () => {
  expect(["00:00", "07:05", "23:59"].map((text) => minuteText(readMinute(text) ?? -1))).toEqual([
    "00:00",
    "07:05",
    "23:59",
  ]);
  expect(["24:00", "7:00", "12:60", "", "noon"].map(readMinute)).toEqual([null, null, null, null, null]);
});
