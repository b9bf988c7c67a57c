"""Teams' packs: fetched at a version, their questions asked, kept in the project, upgraded."""
