// The client's `params` become variables, so it can filter and sort. Fields that the records do not need are selected for
// clients that use `include_raw`. What is asked for by its ID is named `board` or `item`: an empty list under one of these
// names means that there is none, which monday.com does not report as an error.

const ITEM = `fragment ItemFields on Item {
  id name url state created_at updated_at
  board { id }
  group { id title }
  parent_item { id board { id } }
  column_values(types: [status, date, timeline, people, tags, long_text]) {
    __typename id type text
    column { title }
    ... on StatusValue { label is_done updated_at }
    ... on DateValue { date time }
    ... on TimelineValue { to }
    ... on PeopleValue { persons_and_teams { id kind } }
    ... on TagsValue { tags { id name } }
  }
  custom_values: column_values(ids: $columns) @include(if: $has_columns) {
    __typename id type text
    ... on StatusValue { label }
    ... on DateValue { date time }
    ... on PeopleValue { persons_and_teams { id kind } }
    ... on TagsValue { tags { id name } }
    ... on NumbersValue { number }
    ... on RatingValue { rating }
    ... on CheckboxValue { checked }
    ... on DropdownValue { values { id label } }
    ... on LinkValue { url }
  }
}`;

/** The variables of the fragment. */
const COLUMNS = "$columns: [String!], $has_columns: Boolean! = false";

const ITEMS = "cursor items { ...ItemFields subitems { ...ItemFields } }";

export const LIST_ITEMS = `query ListItems($board: ID!, $limit: Int!, $query_params: ItemsQuery, ${COLUMNS}) {
  board: boards(ids: [$board]) {
    items_page(limit: $limit, query_params: $query_params) { ${ITEMS} }
  }
}
${ITEM}`;

export const LIST_MORE_ITEMS = `query ListMoreItems($cursor: String!, $limit: Int!, ${COLUMNS}) {
  next_items_page(cursor: $cursor, limit: $limit) { ${ITEMS} }
}
${ITEM}`;

export const GET_ITEM = `query GetItem($item: ID!, ${COLUMNS}) {
  item: items(ids: [$item]) { ...ItemFields }
}
${ITEM}`;

/** By default only boards of the first kind are listed. */
export const LIST_BOARDS = `query ListBoards($limit: Int!, $page: Int!, $state: State, $workspace_ids: [ID]) {
  boards(
    limit: $limit, page: $page, state: $state, workspace_ids: $workspace_ids, order_by: created_at
    hierarchy_types: [classic, multi_level]
  ) {
    id name description url type state board_kind workspace_id updated_at
  }
}`;

const PERSON = "creator { id name }";

export const LIST_UPDATES = `query ListUpdates($item: ID!, $limit: Int!, $page: Int!) {
  item: items(ids: [$item]) {
    updates(limit: $limit, page: $page) {
      id body text_body created_at updated_at ${PERSON}
      replies { id body text_body created_at updated_at ${PERSON} }
    }
  }
}`;

const BOARD = "id columns { id title type settings }";

/** The columns of all boards. */
export const LIST_COLUMNS = `query ListColumns($limit: Int!, $page: Int!) {
  boards(limit: $limit, page: $page, order_by: created_at, hierarchy_types: [classic, multi_level]) { ${BOARD} }
}`;

export const GET_BOARD = `query GetBoard($board: ID!) {
  board: boards(ids: [$board]) { ${BOARD} }
}`;

/** The board of an item, which has the columns that can be set. */
export const GET_ITEM_BOARD = `query GetItemBoard($item: ID!) {
  item: items(ids: [$item]) { id board { ${BOARD} } parent_item { id board { id } } }
}`;

export const LIST_TAGS = "query ListTags { tags { id name } }";

export const CREATE_ITEM = `mutation CreateItem($board: ID!, $name: String!, $values: JSON!, ${COLUMNS}) {
  create_item(board_id: $board, item_name: $name, column_values: $values) { ...ItemFields }
}
${ITEM}`;

export const CREATE_SUBITEM = `mutation CreateSubitem($parent: ID!, $name: String!, $values: JSON!, ${COLUMNS}) {
  create_subitem(parent_item_id: $parent, item_name: $name, column_values: $values) { ...ItemFields }
}
${ITEM}`;

export const UPDATE_ITEM = `mutation UpdateItem($board: ID!, $item: ID!, $values: JSON!, ${COLUMNS}) {
  change_multiple_column_values(board_id: $board, item_id: $item, column_values: $values) { ...ItemFields }
}
${ITEM}`;

export const CREATE_UPDATE = `mutation CreateUpdate($item: ID!, $body: String!) {
  create_update(item_id: $item, body: $body) { id body text_body created_at updated_at ${PERSON} }
}`;
