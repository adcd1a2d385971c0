// The form of a registration: where, what, and when.
"use client";
import { type SyntheticEvent, useState } from "react";
import { CHANNELS, type Channel, NOTIFICATION_TYPES, type NotificationType } from "@/server/domain/notification";
import { PACES, type Pace } from "@/server/domain/notification-time";
import { useTexts } from "../i18n/use-texts";
import { useTimeZone } from "../time/time-zone";
import { Field } from "../ui/field";
import { FormEnd } from "../ui/form-end";
import { Select } from "../ui/select";
import type { Registration } from "./use-registrations";
import { channelWordsIn, paceWordsIn, typesFor, typeWordsIn } from "./words";

type Terms = Pick<Registration, "types" | "pace" | "time_zone" | "daily_at" | "quiet_hours">;

interface Destination {
  readonly channel: Channel;
  /** Null for mail. */
  readonly url: string | null;
}

interface RegistrationFormProps {
  /** The types that the member's roles receive. */
  readonly types: readonly NotificationType[];
  /** One for a registration that exists. */
  readonly channels: readonly Channel[];
  /** Omitted for a new registration. */
  readonly terms?: Terms;
  /** The labels of the button, idle and while the request is running. */
  readonly action: readonly [text: string, pending: string];
  readonly refusal: string | null;
  readonly isPending: boolean;
  readonly onSubmit: (terms: Terms, destination: Destination) => void;
  readonly onClose: () => void;
}

export function RegistrationForm({ types, channels, terms, action, ...form }: RegistrationFormProps) {
  const texts = useTexts();
  const zone = useTimeZone();
  const [channel, setChannel] = useState<Channel>(channels[0] ?? "slack");
  const [url, setUrl] = useState("");
  const [chosen, setChosen] = useState<readonly NotificationType[]>(terms?.types ?? types);
  const [pace, setPace] = useState<Pace>(terms?.pace ?? "immediate");
  const [timeZone, setTimeZone] = useState(terms?.time_zone ?? zone);
  const [dailyAt, setDailyAt] = useState(terms?.daily_at ?? "09:00");
  const [quiet, setQuiet] = useState(terms?.quiet_hours ?? null);
  const offered = typesFor(channel, types);
  const wanted = typesFor(channel, chosen);
  const needsUrl = channel !== "mail" && terms === undefined;

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (form.isPending) return;
    const sent = { types: [...wanted], pace, time_zone: timeZone, daily_at: dailyAt, quiet_hours: quiet };
    form.onSubmit(sent, { channel, url: needsUrl ? url.trim() : null });
  }

  return (
    <form onSubmit={submit} className="grid gap-4">
      {terms === undefined ? (
        <div className="grid gap-1.5">
          <Select
            id="notification-channel"
            label={texts("notifications.sendBy")}
            options={CHANNELS.filter((one) => channels.includes(one)).map((one) => ({
              value: one,
              label: channelWordsIn(texts)[one],
            }))}
            value={channel}
            onChange={(value) => setChannel(CHANNELS.find((one) => one === value) ?? channel)}
          />
          {channels.includes("mail") ? null : <p className="caption">{texts("notifications.mailNeedsAServer")}</p>}
        </div>
      ) : null}
      {needsUrl ? (
        <Field
          id="notification-url"
          label={texts("notifications.url")}
          type="url"
          required
          autoComplete="off"
          placeholder={channel === "slack" ? "https://hooks.slack.com/services/…" : "https://ops.example/hooks"}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      ) : null}
      <TypePicker offered={offered} chosen={wanted} onChange={setChosen} />
      <Select
        id="notification-pace"
        label={texts("notifications.when")}
        options={PACES.map((one) => ({ value: one, label: paceWordsIn(texts)[one] }))}
        value={pace}
        onChange={(value) => setPace(PACES.find((one) => one === value) ?? pace)}
      />
      {pace === "daily" ? (
        <Field
          id="notification-daily-at"
          label={texts("notifications.timeOfDay")}
          type="time"
          required
          value={dailyAt}
          onChange={(event) => setDailyAt(event.target.value)}
        />
      ) : (
        <QuietHours quiet={quiet} onChange={setQuiet} />
      )}
      <Select
        id="notification-zone"
        label={texts("notifications.timeZone")}
        options={zoneOptions(timeZone)}
        value={timeZone}
        onChange={setTimeZone}
      />
      <FormEnd
        refusal={form.refusal}
        onClose={form.onClose}
        action={action}
        isPending={form.isPending}
        isIncomplete={wanted.length === 0}
      />
    </form>
  );
}

/** Every zone of the browser, UTC and the present one. */
function zoneOptions(present: string) {
  const names = new Set(["UTC", present, ...Intl.supportedValuesOf("timeZone")]);
  return [...names].map((name) => ({ value: name, label: name.replaceAll("_", " ") }));
}

interface TypePickerProps {
  readonly offered: readonly NotificationType[];
  readonly chosen: readonly NotificationType[];
  readonly onChange: (types: readonly NotificationType[]) => void;
}

function TypePicker({ offered, chosen, onChange }: TypePickerProps) {
  const texts = useTexts();
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-sm font-medium">{texts("notifications.subjects")}</legend>
      {offered.map((type) => (
        <label key={type} className="flex min-h-8 items-center gap-2.5 text-sm">
          <input
            type="checkbox"
            className="size-4.5 shrink-0 accent-accent"
            checked={chosen.includes(type)}
            onChange={(event) =>
              onChange(
                NOTIFICATION_TYPES.filter((known) => (known === type ? event.target.checked : chosen.includes(known))),
              )
            }
          />
          {typeWordsIn(texts)[type]}
        </label>
      ))}
      {chosen.length === 0 ? <p className="caption">{texts("notifications.chooseAtLeastOne")}</p> : null}
    </fieldset>
  );
}

interface QuietHoursProps {
  readonly quiet: Terms["quiet_hours"];
  readonly onChange: (quiet: Terms["quiet_hours"]) => void;
}

function QuietHours({ quiet, onChange }: QuietHoursProps) {
  const texts = useTexts();
  return (
    <fieldset className="grid gap-2">
      <legend className="sr-only">{texts("notifications.quietHours")}</legend>
      <label className="flex min-h-8 items-center gap-2.5 text-sm">
        <input
          type="checkbox"
          className="size-4.5 shrink-0 accent-accent"
          checked={quiet !== null}
          onChange={(event) => onChange(event.target.checked ? { from: "22:00", until: "07:00" } : null)}
        />
        {texts("notifications.quietHoursLegend")}
      </label>
      {quiet ? (
        <div className="grid grid-cols-2 gap-3">
          <Field
            id="notification-quiet-from"
            label={texts("notifications.from")}
            type="time"
            required
            value={quiet.from}
            onChange={(event) => onChange({ ...quiet, from: event.target.value })}
          />
          <Field
            id="notification-quiet-until"
            label={texts("notifications.until")}
            type="time"
            required
            value={quiet.until}
            onChange={(event) => onChange({ ...quiet, until: event.target.value })}
          />
        </div>
      ) : null}
    </fieldset>
  );
}
