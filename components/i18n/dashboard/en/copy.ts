export const copy = {
  theCommandsTitle: "the commands: {title}",
  copy: "Copy",
  copied: "Copied",
  selectIt: "Select it",
  copyWhat: "Copy {what}",
  copiedWhat: "Copied {what}",
} as const;
