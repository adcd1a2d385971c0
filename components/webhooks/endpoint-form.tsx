// The form of an endpoint: URL, description, subscribed events.
"use client";
import { type SyntheticEvent, useState } from "react";
import { EVENT_TYPES, type EventType } from "@/server/domain/events";
import { useTexts } from "../i18n/use-texts";
import { Field } from "../ui/field";
import { FormEnd } from "../ui/form-end";

interface EndpointTerms {
  readonly url: string;
  readonly description: string;
  /** Null for all events, including future ones. */
  readonly event_types: EventType[] | null;
}

interface EndpointFormProps {
  /** Omitted for a new endpoint. */
  readonly terms?: EndpointTerms;
  /** The labels of the button, idle and while the request is running. */
  readonly action: readonly [text: string, pending: string];
  readonly refusal: string | null;
  readonly isPending: boolean;
  readonly onSubmit: (terms: EndpointTerms) => void;
  readonly onClose: () => void;
}

export function EndpointForm({ terms, action, refusal, isPending, onSubmit, onClose }: EndpointFormProps) {
  const texts = useTexts();
  const [url, setUrl] = useState(terms?.url ?? "");
  const [description, setDescription] = useState(terms?.description ?? "");
  const [types, setTypes] = useState<readonly EventType[]>(terms?.event_types ?? EVENT_TYPES);

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (isPending) return;
    const isAll = types.length === EVENT_TYPES.length;
    onSubmit({ url: url.trim(), description: description.trim(), event_types: isAll ? null : [...types] });
  }

  return (
    <form onSubmit={submit} className="grid gap-4">
      <Field
        id="endpoint-url"
        label={texts("webhooks.url")}
        type="url"
        required
        data-first-focus=""
        autoComplete="off"
        placeholder="https://shop.example/hooks"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <Field
        id="endpoint-description"
        label={texts("webhooks.descriptionOptional")}
        maxLength={255}
        autoComplete="off"
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <EventPicker chosen={types} onChange={setTypes} />
      <FormEnd
        refusal={refusal}
        onClose={onClose}
        action={action}
        isPending={isPending}
        isIncomplete={types.length === 0}
      />
    </form>
  );
}

interface EventPickerProps {
  readonly chosen: readonly EventType[];
  readonly onChange: (types: readonly EventType[]) => void;
}

function EventPicker({ chosen, onChange }: EventPickerProps) {
  const texts = useTexts();
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-sm font-medium">{texts("webhooks.events")}</legend>
      {EVENT_TYPES.map((type) => (
        <label key={type} className="flex min-h-8 items-center gap-2.5 font-mono text-xs">
          <input
            type="checkbox"
            className="size-4.5 shrink-0 accent-accent"
            checked={chosen.includes(type)}
            onChange={(event) =>
              onChange(EVENT_TYPES.filter((known) => (known === type ? event.target.checked : chosen.includes(known))))
            }
          />
          <span className="wrap-anywhere">{type}</span>
        </label>
      ))}
      <p className="caption">
        {chosen.length === 0
          ? texts("webhooks.chooseAtLeastOne")
          : texts("webhooks.chosenCount", { chosen: chosen.length, eventTypes: EVENT_TYPES.length })}
      </p>
    </fieldset>
  );
}
