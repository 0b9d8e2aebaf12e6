// The lessons of a game, loaded when they are opened, and their chapters.

import { language } from './i18n.js';

/** @typedef {import('../../types/api.js').Lesson} Lesson */
/** @typedef {{ title: string, first: number, lessons: Lesson[] }} Chapter */

/** @type {Map<string, Promise<Lesson[]>>} */
const loaded = new Map();

/** The lessons of a game in the reader's language, loaded once. @param {string} game @returns {Promise<Lesson[]>} */
export function lessonsOf(game) {
  const name = `${encodeURIComponent(game)}.${encodeURIComponent(language)}`;
  let lessons = loaded.get(name);
  if (!lessons) {
    lessons = fetch(new URL(`../lessons/${name}.json`, import.meta.url)).then((response) =>
      response.ok ? response.json() : [],
    );
    lessons.catch(() => loaded.delete(name));
    loaded.set(name, lessons);
  }
  return lessons;
}

/** The chapters of a course: each begins with the lesson that has its title. @param {Lesson[]} lessons */
export function chaptersOf(lessons) {
  /** @type {Chapter[]} */
  const chapters = [];
  for (const [index, lesson] of lessons.entries()) {
    const { chapter } = lesson.words;
    if (chapter !== undefined || !chapters.length) chapters.push({ title: chapter ?? '', first: index, lessons: [] });
    chapters[chapters.length - 1].lessons.push(lesson);
  }
  return chapters;
}
