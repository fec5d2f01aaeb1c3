/** What a node or a note covers. */
export interface Area {
  name: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const overlap = (a: Area, b: Area): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** The pairs of areas of which one covers a part of the other, by their names. */
export const overlaps = (areas: readonly Area[]): string[] =>
  areas.flatMap((area, index) =>
    areas
      .slice(index + 1)
      .filter((other) => overlap(area, other))
      .map((other) => `${area.name} and ${other.name}`),
  );
