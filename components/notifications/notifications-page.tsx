"use client";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { PageHeader } from "../ui/page-header";
import { Panel } from "../ui/panel";
import { RegistrationCard } from "./registration-card";
import { CreateDialog } from "./registration-dialogs";
import { useRegistrations } from "./use-registrations";

export function NotificationsPage() {
  const texts = useTexts();
  const { environment } = useShell();
  const { list } = useRegistrations();
  const [isAdding, setIsAdding] = useState(false);
  const { data, error } = list;
  const isFull = data !== undefined && data.registrations.length >= data.maximum;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader
        title={texts("notifications.notifications")}
        about={texts("notifications.notificationsAbout", { environment })}
      >
        {data ? (
          <Button size="medium" tone="primary" disabled={isFull} onClick={() => setIsAdding(true)}>
            {texts("notifications.addNotifications")}
          </Button>
        ) : null}
      </PageHeader>
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, error).message}
        </Notice>
      ) : null}
      {data?.registrations.length === 0 ? (
        <Panel look="outlined">
          <p className="text-sm text-ink-soft">{texts("notifications.noneReceived", { environment })}</p>
        </Panel>
      ) : null}
      <ul className="grid gap-4">
        {data?.registrations.map((registration) => (
          <li key={registration.id}>
            <RegistrationCard registration={registration} types={data.types} />
          </li>
        ))}
      </ul>
      {isAdding && data ? (
        <CreateDialog types={data.types} canMail={data.can_mail} onClose={() => setIsAdding(false)} />
      ) : null}
    </div>
  );
}
