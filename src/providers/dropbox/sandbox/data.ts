import { awkwardTexts, type Contents, hour, seeded, times, toSecond } from "../../../emulator-kit/index.ts";

interface Common {
  name: string;
  path_lower: string;
  path_display: string;
}
export interface SandboxFile extends Common {
  ".tag": "file";
  id: string;
  client_modified: string;
  server_modified: string;
  rev: string;
  size: number;
  is_downloadable: boolean;
  content_hash?: string;
  sharing_info?: object;
  export_info?: { export_as: string; export_options?: string[] };
  symlink_info?: { target: string };
}
export interface SandboxFolder extends Common {
  ".tag": "folder";
  id: string;
  sharing_info?: object;
}
export type SandboxEntry = SandboxFile | SandboxFolder | (Common & { ".tag": "deleted" });

export interface State {
  /** In the order of a recursive list. The first is a file, and a folder comes before what is in it. */
  entries: SandboxEntry[];
  /** What a file contains, or its export, by ID. */
  contents: Contents;
}

export const account = {
  account_id: "dbid:AADsandboxAccountIdentifier01234567",
  name: {
    given_name: "Zoë",
    surname: "Müller",
    familiar_name: "Zoë",
    display_name: "Zoë Müller",
    abbreviated_name: "ZM",
  },
  email: "zoe@example.com",
  email_verified: true,
  disabled: false,
  locale: "de",
  referral_link: "https://www.dropbox.com/referrals/sandbox",
  is_paired: false,
  account_type: { ".tag": "basic" },
  root_info: { ".tag": "user", root_namespace_id: "3235641", home_namespace_id: "3235641" },
  country: "DE",
  profile_photo_url: "https://dl-web.dropbox.com/account_photo/get/dbaphid%3Asandbox?size=128x128",
};

const SHARED_FOLDER = "84528192421";
const EXTENSIONS = ["txt", "PDF", "docx", "jpg", "tar.gz", "unusual"];

/** Dropbox compares paths without regard to case. */
export const at = (folder: string, name: string): Common => {
  const path = `${folder}/${name}`;
  return { name, path_lower: path.toLowerCase(), path_display: path };
};

export function makeState(): State {
  const random = seeded(2024);
  const entries: SandboxEntry[] = [];
  const contents: Contents = new Map();
  const nextId = () => `id:${random.hex(22)}`;

  function addFile(folder: string, name: string, more: Partial<SandboxFile> = {}, content?: string): void {
    const id = nextId();
    const index = entries.length;
    const text = content ?? `File ${index} of the sandbox\n`.repeat(1 + (index % 5));
    contents.set(id, text);
    entries.push({
      ".tag": "file",
      id,
      ...at(folder, name),
      client_modified: toSecond(hour(index * 7)),
      server_modified: toSecond(hour(index * 7 + (index % 3))),
      rev: `01${random.hex(13)}`,
      size: text.length,
      is_downloadable: true,
      content_hash: random.hex(64),
      ...more,
    });
  }
  function addFolder(parent: string, name: string, more: Partial<SandboxFolder> = {}): string {
    entries.push({ ".tag": "folder", id: nextId(), ...at(parent, name), ...more });
    return `${parent}/${name}`;
  }
  const addDeleted = (folder: string, name: string) => entries.push({ ".tag": "deleted", ...at(folder, name) });

  addFile("", "Welcome to the sandbox.txt");
  addFile("", "empty.txt", {}, "");
  addFile("", "LICENSE");
  addFile("", "日本語のファイル 👋.txt");
  addFolder("", "Empty folder");

  const homework = addFolder("", "Homework");
  times(150, (index) => addFile(homework, `Sheet ${index}.${EXTENSIONS[index % EXTENSIONS.length]}`));
  addDeleted(homework, "thrown away while it was listed.txt");
  const math = addFolder(homework, "Math");
  times(60, (index) => addFile(math, `Zahl ${index} – größer.md`));
  addFolder(math, "Empty, too");
  addDeleted(math, "old folder");

  const awkward = addFolder("", "Grüße aus Köln");
  for (const [index, text] of awkwardTexts.entries())
    addFile(awkward, `${index} ${text.replaceAll("/", "∕").replace(/[\t\n]/g, " ")}.txt`);
  addFile(awkward, "100% done? #1 & more.txt");

  const shared = addFolder("", "Team", { sharing_info: { read_only: false, shared_folder_id: SHARED_FOLDER } });
  const sharing_info = { read_only: false, parent_shared_folder_id: SHARED_FOLDER };
  times(50, (index) => addFile(shared, `Minutes ${index}.docx`, { sharing_info }));
  const paper = {
    is_downloadable: false,
    export_info: { export_as: "markdown", export_options: ["html", "markdown"] },
  };
  addFile(shared, "Plan.paper", paper, "# Plan\n\nExported by the sandbox.\n");
  addFile(shared, "Numbers.gsheet", { is_downloadable: false, export_info: { export_as: "xlsx" } }, "cells\n");
  addFile(shared, "shortcut", { symlink_info: { target: "/elsewhere" } });
  addDeleted("", "gone.txt");
  return { entries, contents };
}
