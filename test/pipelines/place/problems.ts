import type { Place } from '../../../datasets/place/place.ts';
import { PlaceError, parsePlace, readPlaceFile } from '../../../pipelines/place/place-schema.ts';

function told(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof PlaceError) return error.lines;
    throw error;
  }
  return [];
}

/** What is wrong with the text of a place file, called my.yaml. */
export const problems = (text: string) => told(() => parsePlace(text, 'my.yaml'));

/** What is wrong with a place file. */
export const problemsOf = (path: string) => told(() => readPlaceFile(path));

/** The place of a text that is right. */
export const parsed = (text: string): Place => parsePlace(text, 'my.yaml');

/** The head of a place, the layers of which follow. */
export const HEAD = `name: village
title: A village
state: ME
county: "23019"
coverage: { file: boundary.geojson }
`;
