import { changeableList, chatLists, firstFilled, listAt } from "../../../emulator-kit/index.ts";
import { ME, newId, newMessage, type State, withMarkdown } from "./data.ts";

const idOf = (name: string) => name.slice(name.lastIndexOf("/") + 1);
const spaceOf = ({ channel_id = "" }: Record<string, string>) => `spaces/${idOf(channel_id)}`;

const people = changeableList({
  items: ({ people }: State) => people,
  keeps: () => [ME],
  id: ({ resourceName }) => idOf(resourceName),
  update: ({ title }, { resourceName }) => {
    const metadata = { primary: true, source: { type: "DOMAIN_PROFILE", id: idOf(resourceName) } };
    return { names: [{ metadata, displayName: title }] };
  },
  create: ({ nth }) => ({ resourceName: `people/2${String(nth).padStart(20, "0")}` }),
});

const spaces = changeableList({
  items: ({ spaces }: State) => spaces,
  isShown: ({ spaceType }) => spaceType === "SPACE",
  keeps: ({ messages }) => [...messages.keys()].map(idOf),
  id: ({ name }) => idOf(name),
  update: ({ title }) => ({ displayName: title }),
  create: ({ nth, time }) => ({ name: `spaces/AAAB${newId(1_000_000 + nth).slice(4)}`, createTime: time }),
});

const messages = changeableList({
  items: ({ messages, spaces }: State, parameters) =>
    listAt(
      messages,
      spaceOf(parameters),
      spaces.some(({ name }) => name === spaceOf(parameters)),
    ),
  parameters: ({ messages }) => ({ channel_id: idOf(firstFilled(messages)?.key ?? "") }),
  sample: ({ messages }) => firstFilled(messages)?.sample,
  id: ({ name }) => idOf(name),
  update: ({ title }, message) => ({ ...withMarkdown(message, title), annotations: [] }),
  create({ nth, title, time }, _, __, parameters) {
    const id = newId(1_000_000 + nth);
    return { ...withMarkdown(newMessage(spaceOf(parameters), id, id, ME, time), title), threadReply: false };
  },
});

export const changes = chatLists(people, spaces, messages);
