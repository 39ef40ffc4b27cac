"""The face: the only part of the library that imports streamlit."""
