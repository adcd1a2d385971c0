// The member's theme and time zone, loaded when the menu unfolds.
"use client";
import { ThemeToggle } from "./theme-toggle";
import { TimeZoneChoice } from "./time-zone-choice";

export default function Preferences() {
  return (
    <>
      <p className="caption px-2.5 pt-1">Theme</p>
      <ThemeToggle />
      <TimeZoneChoice />
    </>
  );
}
