import { buildSchema } from "../../../emulator-kit/graphql.ts";

const POST = "id: ID! body: String! created_at: Date creator: User text_body: String updated_at: Date";
const VALUE = "id: ID! column: Column! text: String type: ColumnType!";

/** A small part of monday.com's schema, with its names and types: https://developer.monday.com/api-reference */
export const schema = buildSchema(`
  scalar Date
  scalar ISO8601DateTime
  scalar JSON
  scalar CompareValue

  enum State { active all archived deleted }
  enum BoardKind { private public share }
  enum BoardsOrderBy { created_at used_at }
  enum BoardHierarchy { classic multi_level }
  enum BoardObjectType { board custom_object document sub_items_board }
  enum Kind { agent person team }
  enum ItemsQueryOperator { and or }
  enum ItemsQueryRuleOperator { any_of not_any_of contains_text }
  enum ColumnType { checkbox date dropdown long_text numbers people rating status subtasks tags text timeline link }

  enum WebhookEventType {
    change_column_value change_name change_subitem_column_value change_subitem_name create_item create_subitem
    create_subitem_update create_update delete_update edit_update item_archived item_deleted item_restored
    subitem_archived subitem_deleted
  }

  type Query {
    me: User
    boards(
      hierarchy_types: [BoardHierarchy!]
      ids: [ID!]
      limit: Int = 25
      order_by: BoardsOrderBy
      page: Int = 1
      state: State = active
      workspace_ids: [ID]
    ): [Board]
    items(ids: [ID!]): [Item]
    next_items_page(cursor: String!, limit: Int! = 25): ItemsResponse!
    tags: [Tag]
  }

  type Mutation {
    create_item(board_id: ID!, item_name: String!, column_values: JSON): Item
    create_subitem(parent_item_id: ID!, item_name: String!, column_values: JSON): Item
    change_multiple_column_values(board_id: ID!, item_id: ID, column_values: JSON!): Item
    create_update(item_id: ID, body: String!): Update
    create_webhook(board_id: ID!, config: JSON, event: WebhookEventType!, url: String!): Webhook
    delete_webhook(id: ID!): Webhook
  }

  type User { id: ID! email: String! name: String! photo_url: PhotoUrl title: String! url: String! }
  type PhotoUrl { original: String small: String }

  type Board {
    id: ID!
    board_kind: BoardKind!
    columns: [Column]
    description: String
    items_page(limit: Int! = 25, query_params: ItemsQuery): ItemsResponse!
    name: String!
    state: State!
    type: BoardObjectType
    updated_at: ISO8601DateTime
    url: String!
    workspace_id: ID
  }
  type Group { id: ID! title: String! }
  type Column { id: ID! settings: JSON title: String! type: ColumnType! }

  type ItemsResponse { cursor: String items: [Item!]! }
  input ItemsQuery { operator: ItemsQueryOperator = and rules: [ItemsQueryRule!] }
  input ItemsQueryRule { column_id: ID! compare_value: CompareValue! operator: ItemsQueryRuleOperator = any_of }

  type Item {
    id: ID!
    board: Board
    column_values(ids: [String!], types: [ColumnType!]): [ColumnValue!]!
    created_at: Date
    group: Group
    name: String!
    parent_item: Item
    state: State
    subitems: [Item]
    updated_at: Date
    updates(limit: Int = 25, page: Int = 1): [Update!]
    url: String!
  }
  type Webhook { id: ID! board_id: ID! config: String event: WebhookEventType! }
  type Update { ${POST} replies: [Reply!] }
  type Reply { ${POST} }

  interface ColumnValue { ${VALUE} }
  type StatusValue implements ColumnValue { ${VALUE} is_done: Boolean label: String updated_at: Date }
  type DateValue implements ColumnValue { ${VALUE} date: String time: String }
  type TimelineValue implements ColumnValue { ${VALUE} from: Date to: Date }
  type PeopleValue implements ColumnValue { ${VALUE} persons_and_teams: [PeopleEntity!] }
  type PeopleEntity { id: ID! kind: Kind }
  type TagsValue implements ColumnValue { ${VALUE} tags: [Tag!]! }
  type Tag { id: ID! color: String! name: String! }
  type LongTextValue implements ColumnValue { ${VALUE} }
  type NumbersValue implements ColumnValue { ${VALUE} number: Float }
  type RatingValue implements ColumnValue { ${VALUE} rating: Int }
  type LinkValue implements ColumnValue { ${VALUE} url: String }
  type TextValue implements ColumnValue { ${VALUE} }
  type CheckboxValue implements ColumnValue { ${VALUE} checked: Boolean }
  type DropdownValue implements ColumnValue { ${VALUE} values: [DropdownValueOption!]! }
  type DropdownValueOption { id: ID! label: String! }
`);
