/** A content type with the kinds of fields that the shipped types lack: unions, and lists of enums and of embedded values. */

export const gallery = 'test.Gallery';

export const gallerySdl = `
"Whatever can hang on a wall."
union Exhibit = Article | Image

enum Mood { QUIET LOUD }

type Floor { level: Int! guide: Author }

type Room { number: Int! floor: Floor labels: [String!] }

type Gallery @contentType(class: "test.Gallery") {
  name: String!
  code: String @indexed(unique: true) @constraint(maxLength: 10)
  cover: Exhibit
  exhibits: [Exhibit!]
  openings: [EpochMillis!]
  moods: [Mood!]
  rooms: [Room!] @constraint(maxItems: 3)
  size: Float
  free: Boolean
  notes: JSON
}
`;
