"use client";
import type { ReactNode } from "react";
import { useTexts } from "../i18n/use-texts";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { failureOf } from "./failure";

interface QuestionProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly act: string;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  readonly isSending: boolean;
  readonly error: unknown;
  readonly onAct: () => void;
  readonly onClose: () => void;
}

/** Confirms an action that is hard to undo. States its effect; the button that changes nothing comes first. */
export function Question(props: QuestionProps) {
  const texts = useTexts();
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      {props.children}
      {props.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, props.error).message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={props.onClose}>
          {texts("common.cancel")}
        </Button>
        <Button
          size="medium"
          tone={props.isDangerous ? "danger" : "primary"}
          disabled={props.isDisabled}
          aria-disabled={props.isSending || undefined}
          onClick={() => props.isSending || props.onAct()}
        >
          {props.isSending ? texts("common.oneMoment") : props.act}
        </Button>
      </div>
    </Dialog>
  );
}
