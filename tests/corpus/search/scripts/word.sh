# word, ward and werd: three spellings
word=1
ward=2
echo $word $ward --verbose
