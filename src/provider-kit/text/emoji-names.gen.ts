// Written by `npm run gen` from emojibase-data. Do not edit.
export const emojiNames = `🇦 regional_indicator_a
🇧 regional_indicator_b
🇨 regional_indicator_c
🇩 regional_indicator_d
🇪 regional_indicator_e
🇫 regional_indicator_f
🇬 regional_indicator_g
🇭 regional_indicator_h
🇮 regional_indicator_i
🇯 regional_indicator_j
🇰 regional_indicator_k
🇱 regional_indicator_l
🇲 regional_indicator_m
🇳 regional_indicator_n
🇴 regional_indicator_o
🇵 regional_indicator_p
🇶 regional_indicator_q
🇷 regional_indicator_r
🇸 regional_indicator_s
🇹 regional_indicator_t
🇺 regional_indicator_u
🇻 regional_indicator_v
🇼 regional_indicator_w
🇽 regional_indicator_x
🇾 regional_indicator_y
🇿 regional_indicator_z
😀 grinning grinning_face
😃 smiley
😄 smile
😁 grin
😆 laughing satisfied
😅 sweat_smile
🤣 rolling_on_the_floor_laughing rofl
😂 joy
🙂 slightly_smiling_face slight_smile
🙃 upside_down_face upside_down
🫠 melting_face
😉 wink winking_face
😊 blush
😇 innocent
🥰 smiling_face_with_3_hearts smiling_face_with_three_hearts
😍 heart_eyes
🤩 star-struck grinning_face_with_star_eyes star_struck
😘 kissing_heart
😗 kissing kissing_face
☺️ relaxed smiling_face
😚 kissing_closed_eyes
😙 kissing_smiling_eyes
🥲 smiling_face_with_tear
😋 yum
😛 stuck_out_tongue
😜 stuck_out_tongue_winking_eye
🤪 zany_face grinning_face_with_one_large_and_one_small_eye
😝 stuck_out_tongue_closed_eyes
🤑 money_mouth_face money_mouth
🤗 hugging_face hugs hugging
🤭 face_with_hand_over_mouth smiling_face_with_smiling_eyes_and_hand_covering_mouth hand_over_mouth
🫢 face_with_open_eyes_and_hand_over_mouth
🫣 face_with_peeking_eye
🤫 shushing_face face_with_finger_covering_closed_lips
🤔 thinking_face thinking
🫡 saluting_face
🤐 zipper_mouth_face zipper_mouth
🤨 face_with_raised_eyebrow face_with_one_eyebrow_raised raised_eyebrow
😐 neutral_face
😑 expressionless
😶 no_mouth
🫥 dotted_line_face
😶‍🌫️ face_in_clouds
😏 smirk smirking_face
😒 unamused unamused_face
🙄 face_with_rolling_eyes roll_eyes rolling_eyes
😬 grimacing
😮‍💨 face_exhaling
🤥 lying_face liar
🫨 shaking_face
🙂‍↔️ head_shaking_horizontally
🙂‍↕️ head_shaking_vertically
😌 relieved relieved_face
😔 pensive pensive_face
😪 sleepy sleepy_face
🤤 drooling_face drool
😴 sleeping sleeping_face
🫩 face_with_bags_under_eyes
😷 mask
🤒 face_with_thermometer thermometer_face
🤕 face_with_head_bandage head_bandage
🤢 nauseated_face sick
🤮 face_vomiting face_with_open_mouth_vomiting vomiting_face
🤧 sneezing_face sneeze
🥵 hot_face
🥶 cold_face
🥴 woozy_face
😵 dizzy_face
😵‍💫 face_with_spiral_eyes
🤯 exploding_head shocked_face_with_exploding_head
🤠 face_with_cowboy_hat cowboy_hat_face cowboy
🥳 partying_face
🥸 disguised_face
😎 sunglasses
🤓 nerd_face nerd
🧐 face_with_monocle monocle_face
😕 confused confused_face
🫤 face_with_diagonal_mouth
😟 worried worried_face
🙁 slightly_frowning_face slight_frown
☹️ white_frowning_face frowning_face frowning2
😮 open_mouth
😯 hushed hushed_face
😲 astonished
😳 flushed flushed_face
🥺 pleading_face
🥹 face_holding_back_tears
😦 frowning
😧 anguished
😨 fearful fearful_face
😰 cold_sweat
😥 disappointed_relieved
😢 cry crying_face
😭 sob
😱 scream
😖 confounded
😣 persevere
😞 disappointed
😓 sweat
😩 weary weary_face
😫 tired_face
🥱 yawning_face
😤 triumph
😡 rage pout
😠 angry angry_face
🤬 face_with_symbols_on_mouth serious_face_with_symbols_covering_mouth cursing_face face_with_symbols_over_mouth
😈 smiling_imp
👿 imp
💀 skull skeleton
☠️ skull_and_crossbones skull_crossbones
💩 hankey poop shit poo pile_of_poo
🤡 clown_face clown
👹 japanese_ogre ogre
👺 japanese_goblin goblin
👻 ghost
👽 alien
👾 space_invader alien_monster
🤖 robot_face robot
😺 smiley_cat grinning_cat
😸 smile_cat
😹 joy_cat
😻 heart_eyes_cat
😼 smirk_cat
😽 kissing_cat
🙀 scream_cat weary_cat
😿 crying_cat_face crying_cat
😾 pouting_cat
🙈 see_no_evil
🙉 hear_no_evil
🙊 speak_no_evil
💌 love_letter
💘 cupid
💝 gift_heart
💖 sparkling_heart
💗 heartpulse growing_heart
💓 heartbeat beating_heart
💞 revolving_hearts
💕 two_hearts
💟 heart_decoration
❣️ heavy_heart_exclamation_mark_ornament heavy_heart_exclamation heart_exclamation
💔 broken_heart
❤️‍🔥 heart_on_fire
❤️‍🩹 mending_heart
❤️ heart red_heart
🩷 pink_heart
🧡 orange_heart
💛 yellow_heart
💚 green_heart
💙 blue_heart
🩵 light_blue_heart
💜 purple_heart
🤎 brown_heart
🖤 black_heart
🩶 grey_heart
🤍 white_heart
💋 kiss kiss_mark
💯 100
💢 anger
💥 boom collision
💫 dizzy
💦 sweat_drops
💨 dash dashing_away
🕳️ hole
💬 speech_balloon
👁️‍🗨️ eye-in-speech-bubble eye_speech_bubble eye_in_speech_bubble
🗨️ left_speech_bubble speech_left
🗯️ right_anger_bubble anger_right
💭 thought_balloon
💤 zzz
👋 wave waving_hand
🤚 raised_back_of_hand back_of_hand
🖐️ raised_hand_with_fingers_splayed hand_splayed
✋ hand raised_hand
🖖 spock-hand vulcan_salute vulcan raised_hand_with_part_between_middle_and_ring_fingers
🫱 rightwards_hand
🫲 leftwards_hand
🫳 palm_down_hand
🫴 palm_up_hand
🫷 leftwards_pushing_hand
🫸 rightwards_pushing_hand
👌 ok_hand
🤌 pinched_fingers
🤏 pinching_hand
✌️ v victory_hand
🤞 crossed_fingers hand_with_index_and_middle_fingers_crossed fingers_crossed hand_with_index_and_middle_finger_crossed
🫰 hand_with_index_finger_and_thumb_crossed
🤟 i_love_you_hand_sign love_you_gesture
🤘 the_horns sign_of_the_horns metal
🤙 call_me_hand call_me
👈 point_left
👉 point_right
👆 point_up_2
🖕 middle_finger reversed_hand_with_middle_finger_extended fu
👇 point_down
☝️ point_up
🫵 index_pointing_at_the_viewer
👍 +1 thumbsup thumbup thumbs_up
👎 -1 thumbsdown thumbdown thumbs_down
✊ fist fist_raised raised_fist
👊 facepunch punch fist_oncoming oncoming_fist
🤛 left-facing_fist fist_left left_facing_fist left_fist
🤜 right-facing_fist fist_right right_facing_fist right_fist
👏 clap
🙌 raised_hands raising_hands
🫶 heart_hands
👐 open_hands
🤲 palms_up_together
🤝 handshake shaking_hands
🙏 pray folded_hands
✍️ writing_hand
💅 nail_care nail_polish
🤳 selfie
💪 muscle flexed_biceps
🦾 mechanical_arm
🦿 mechanical_leg
🦵 leg
🦶 foot
👂 ear
🦻 ear_with_hearing_aid
👃 nose
🧠 brain
🫀 anatomical_heart
🫁 lungs
🦷 tooth
🦴 bone
👀 eyes
👁️ eye
👅 tongue
👄 lips mouth
🫦 biting_lip
👶 baby
🧒 child
👦 boy
👧 girl
🧑 adult person
👱 person_with_blond_hair blond_haired_person
👨 man
🧔 bearded_person person_beard
🧔‍♂️ man_with_beard man_beard
🧔‍♀️ woman_with_beard woman_beard
👨‍🦰 red_haired_man man_red_haired man_red_hair
👨‍🦱 curly_haired_man man_curly_haired
👨‍🦳 white_haired_man man_white_haired
👨‍🦲 bald_man man_bald
👩 woman
👩‍🦰 red_haired_woman woman_red_haired
🧑‍🦰 red_haired_person person_red_hair
👩‍🦱 curly_haired_woman woman_curly_haired
🧑‍🦱 curly_haired_person person_curly_hair
👩‍🦳 white_haired_woman woman_white_haired
🧑‍🦳 white_haired_person person_white_hair
👩‍🦲 bald_woman woman_bald
🧑‍🦲 bald_person person_bald
👱‍♀️ blond-haired-woman blond_haired_woman blonde_woman blond-haired_woman
👱‍♂️ blond-haired-man blond_haired_man blond-haired_man
🧓 older_adult older_person
👴 older_man old_man
👵 older_woman grandma old_woman
🙍 person_frowning frowning_person
🙍‍♂️ man-frowning frowning_man man_frowning
🙍‍♀️ woman-frowning frowning_woman woman_frowning
🙎 person_with_pouting_face pouting_face person_pouting
🙎‍♂️ man-pouting pouting_man man_pouting
🙎‍♀️ woman-pouting pouting_woman woman_pouting
🙅 no_good person_gesturing_no
🙅‍♂️ man-gesturing-no ng_man no_good_man man_gesturing_no
🙅‍♀️ woman-gesturing-no ng_woman no_good_woman woman_gesturing_no
🙆 ok_woman ok_person person_gesturing_ok
🙆‍♂️ man-gesturing-ok ok_man man_gesturing_ok
🙆‍♀️ woman-gesturing-ok woman_gesturing_ok
💁 information_desk_person tipping_hand_person person_tipping_hand
💁‍♂️ man-tipping-hand sassy_man tipping_hand_man man_tipping_hand
💁‍♀️ woman-tipping-hand sassy_woman tipping_hand_woman woman_tipping_hand
🙋 raising_hand person_raising_hand
🙋‍♂️ man-raising-hand raising_hand_man man_raising_hand
🙋‍♀️ woman-raising-hand raising_hand_woman woman_raising_hand
🧏 deaf_person
🧏‍♂️ deaf_man
🧏‍♀️ deaf_woman
🙇 bow person_bowing
🙇‍♂️ man-bowing bowing_man man_bowing
🙇‍♀️ woman-bowing bowing_woman woman_bowing
🤦 face_palm facepalm person_facepalming
🤦‍♂️ man-facepalming man_facepalming
🤦‍♀️ woman-facepalming woman_facepalming
🤷 shrug person_shrugging
🤷‍♂️ man-shrugging man_shrugging
🤷‍♀️ woman-shrugging woman_shrugging
🧑‍⚕️ health_worker
👨‍⚕️ male-doctor man_health_worker
👩‍⚕️ female-doctor woman_health_worker
🧑‍🎓 student
👨‍🎓 male-student man_student
👩‍🎓 female-student woman_student
🧑‍🏫 teacher
👨‍🏫 male-teacher man_teacher
👩‍🏫 female-teacher woman_teacher
🧑‍⚖️ judge
👨‍⚖️ male-judge man_judge
👩‍⚖️ female-judge woman_judge
🧑‍🌾 farmer
👨‍🌾 male-farmer man_farmer
👩‍🌾 female-farmer woman_farmer
🧑‍🍳 cook
👨‍🍳 male-cook man_cook
👩‍🍳 female-cook woman_cook
🧑‍🔧 mechanic
👨‍🔧 male-mechanic man_mechanic
👩‍🔧 female-mechanic woman_mechanic
🧑‍🏭 factory_worker
👨‍🏭 male-factory-worker man_factory_worker
👩‍🏭 female-factory-worker woman_factory_worker
🧑‍💼 office_worker
👨‍💼 male-office-worker man_office_worker
👩‍💼 female-office-worker woman_office_worker
🧑‍🔬 scientist
👨‍🔬 male-scientist man_scientist
👩‍🔬 female-scientist woman_scientist
🧑‍💻 technologist
👨‍💻 male-technologist man_technologist
👩‍💻 female-technologist woman_technologist
🧑‍🎤 singer
👨‍🎤 male-singer man_singer
👩‍🎤 female-singer woman_singer
🧑‍🎨 artist
👨‍🎨 male-artist man_artist
👩‍🎨 female-artist woman_artist
🧑‍✈️ pilot
👨‍✈️ male-pilot man_pilot
👩‍✈️ female-pilot woman_pilot
🧑‍🚀 astronaut
👨‍🚀 male-astronaut man_astronaut
👩‍🚀 female-astronaut woman_astronaut
🧑‍🚒 firefighter
👨‍🚒 male-firefighter man_firefighter
👩‍🚒 female-firefighter woman_firefighter
👮 cop police_officer
👮‍♂️ male-police-officer policeman man_police_officer
👮‍♀️ female-police-officer policewoman woman_police_officer
🕵️ sleuth_or_spy detective spy
🕵️‍♂️ male-detective male_detective man_detective
🕵️‍♀️ female-detective female_detective woman_detective
💂 guardsman guard
💂‍♂️ male-guard man_guard
💂‍♀️ female-guard guardswoman woman_guard
🥷 ninja
👷 construction_worker
👷‍♂️ male-construction-worker construction_worker_man man_construction_worker
👷‍♀️ female-construction-worker construction_worker_woman woman_construction_worker
🫅 person_with_crown
🤴 prince
👸 princess
👳 man_with_turban person_with_turban person_wearing_turban
👳‍♂️ man-wearing-turban man_wearing_turban
👳‍♀️ woman-wearing-turban woman_with_turban woman_wearing_turban
👲 man_with_gua_pi_mao man_with_chinese_cap
🧕 person_with_headscarf woman_with_headscarf
🤵 person_in_tuxedo
🤵‍♂️ man_in_tuxedo
🤵‍♀️ woman_in_tuxedo
👰 bride_with_veil person_with_veil
👰‍♂️ man_with_veil
👰‍♀️ woman_with_veil
🤰 pregnant_woman expecting_woman
🫃 pregnant_man
🫄 pregnant_person
🤱 breast-feeding breast_feeding
👩‍🍼 woman_feeding_baby
👨‍🍼 man_feeding_baby
🧑‍🍼 person_feeding_baby
👼 angel baby_angel
🎅 santa santa_claus
🤶 mrs_claus mother_christmas
🧑‍🎄 mx_claus
🦸 superhero
🦸‍♂️ male_superhero superhero_man man_superhero
🦸‍♀️ female_superhero superhero_woman woman_superhero
🦹 supervillain
🦹‍♂️ male_supervillain supervillain_man man_supervillain
🦹‍♀️ female_supervillain supervillain_woman woman_supervillain
🧙 mage
🧙‍♂️ male_mage mage_man man_mage
🧙‍♀️ female_mage mage_woman woman_mage
🧚 fairy
🧚‍♂️ male_fairy fairy_man man_fairy
🧚‍♀️ female_fairy fairy_woman woman_fairy
🧛 vampire
🧛‍♂️ male_vampire vampire_man man_vampire
🧛‍♀️ female_vampire vampire_woman woman_vampire
🧜 merperson
🧜‍♂️ merman
🧜‍♀️ mermaid
🧝 elf
🧝‍♂️ male_elf elf_man man_elf
🧝‍♀️ female_elf elf_woman woman_elf
🧞 genie
🧞‍♂️ male_genie genie_man man_genie
🧞‍♀️ female_genie genie_woman woman_genie
🧟 zombie
🧟‍♂️ male_zombie zombie_man man_zombie
🧟‍♀️ female_zombie zombie_woman woman_zombie
🧌 troll
💆 massage person_getting_massage
💆‍♂️ man-getting-massage massage_man man_getting_face_massage
💆‍♀️ woman-getting-massage massage_woman woman_getting_face_massage
💇 haircut person_getting_haircut
💇‍♂️ man-getting-haircut haircut_man man_getting_haircut
💇‍♀️ woman-getting-haircut haircut_woman woman_getting_haircut
🚶 walking person_walking
🚶‍♂️ man-walking walking_man man_walking
🚶‍♀️ woman-walking walking_woman woman_walking
🚶‍➡️ person_walking_facing_right
🚶‍♀️‍➡️ woman_walking_facing_right
🚶‍♂️‍➡️ man_walking_facing_right
🧍 standing_person person_standing
🧍‍♂️ man_standing standing_man
🧍‍♀️ woman_standing standing_woman
🧎 kneeling_person person_kneeling
🧎‍♂️ man_kneeling kneeling_man
🧎‍♀️ woman_kneeling kneeling_woman
🧎‍➡️ person_kneeling_facing_right
🧎‍♀️‍➡️ woman_kneeling_facing_right
🧎‍♂️‍➡️ man_kneeling_facing_right
🧑‍🦯 person_with_probing_cane
🧑‍🦯‍➡️ person_with_white_cane_facing_right
👨‍🦯 man_with_probing_cane
👨‍🦯‍➡️ man_with_white_cane_facing_right
👩‍🦯 woman_with_probing_cane
👩‍🦯‍➡️ woman_with_white_cane_facing_right
🧑‍🦼 person_in_motorized_wheelchair
🧑‍🦼‍➡️ person_in_motorized_wheelchair_facing_right
👨‍🦼 man_in_motorized_wheelchair
👨‍🦼‍➡️ man_in_motorized_wheelchair_facing_right
👩‍🦼 woman_in_motorized_wheelchair
👩‍🦼‍➡️ woman_in_motorized_wheelchair_facing_right
🧑‍🦽 person_in_manual_wheelchair
🧑‍🦽‍➡️ person_in_manual_wheelchair_facing_right
👨‍🦽 man_in_manual_wheelchair
👨‍🦽‍➡️ man_in_manual_wheelchair_facing_right
👩‍🦽 woman_in_manual_wheelchair
👩‍🦽‍➡️ woman_in_manual_wheelchair_facing_right
🏃 runner running person_running
🏃‍♂️ man-running running_man man_running
🏃‍♀️ woman-running running_woman woman_running
🏃‍➡️ person_running_facing_right
🏃‍♀️‍➡️ woman_running_facing_right
🏃‍♂️‍➡️ man_running_facing_right
💃 dancer woman_dancing
🕺 man_dancing male_dancer
🕴️ man_in_business_suit_levitating business_suit_levitating levitate
👯 dancers people_with_bunny_ears_partying
👯‍♂️ men-with-bunny-ears-partying man-with-bunny-ears-partying dancing_men men_with_bunny_ears_partying
👯‍♀️ women-with-bunny-ears-partying woman-with-bunny-ears-partying dancing_women women_with_bunny_ears_partying
🧖 person_in_steamy_room sauna_person
🧖‍♂️ man_in_steamy_room sauna_man
🧖‍♀️ woman_in_steamy_room sauna_woman
🧗 person_climbing climbing
🧗‍♂️ man_climbing climbing_man
🧗‍♀️ woman_climbing climbing_woman
🤺 fencer person_fencing fencing
🏇 horse_racing
⛷️ skier
🏂 snowboarder
🏌️ golfer golfing person_golfing
🏌️‍♂️ man-golfing golfing_man man_golfing
🏌️‍♀️ woman-golfing golfing_woman woman_golfing
🏄 surfer person_surfing
🏄‍♂️ man-surfing surfing_man man_surfing
🏄‍♀️ woman-surfing surfing_woman woman_surfing
🚣 rowboat person_rowing_boat
🚣‍♂️ man-rowing-boat rowing_man man_rowing_boat
🚣‍♀️ woman-rowing-boat rowing_woman woman_rowing_boat
🏊 swimmer person_swimming
🏊‍♂️ man-swimming swimming_man man_swimming
🏊‍♀️ woman-swimming swimming_woman woman_swimming
⛹️ person_with_ball bouncing_ball_person person_bouncing_ball basketball_player
⛹️‍♂️ man-bouncing-ball basketball_man bouncing_ball_man man_bouncing_ball
⛹️‍♀️ woman-bouncing-ball basketball_woman bouncing_ball_woman woman_bouncing_ball
🏋️ weight_lifter weight_lifting person_lifting_weights lifter
🏋️‍♂️ man-lifting-weights weight_lifting_man man_lifting_weights
🏋️‍♀️ woman-lifting-weights weight_lifting_woman woman_lifting_weights
🚴 bicyclist person_biking
🚴‍♂️ man-biking biking_man man_biking
🚴‍♀️ woman-biking biking_woman woman_biking
🚵 mountain_bicyclist person_mountain_biking
🚵‍♂️ man-mountain-biking mountain_biking_man man_mountain_biking
🚵‍♀️ woman-mountain-biking mountain_biking_woman woman_mountain_biking
🤸 person_doing_cartwheel cartwheeling cartwheel
🤸‍♂️ man-cartwheeling man_cartwheeling
🤸‍♀️ woman-cartwheeling woman_cartwheeling
🤼 wrestlers wrestling people_wrestling
🤼‍♂️ man-wrestling men_wrestling
🤼‍♀️ woman-wrestling women_wrestling
🤽 water_polo person_playing_water_polo
🤽‍♂️ man-playing-water-polo man_playing_water_polo
🤽‍♀️ woman-playing-water-polo woman_playing_water_polo
🤾 handball handball_person person_playing_handball
🤾‍♂️ man-playing-handball man_playing_handball
🤾‍♀️ woman-playing-handball woman_playing_handball
🤹 juggling juggling_person person_juggling juggler
🤹‍♂️ man-juggling man_juggling
🤹‍♀️ woman-juggling woman_juggling
🧘 person_in_lotus_position lotus_position
🧘‍♂️ man_in_lotus_position lotus_position_man
🧘‍♀️ woman_in_lotus_position lotus_position_woman
🛀 bath
🛌 sleeping_accommodation sleeping_bed person_in_bed
🧑‍🤝‍🧑 people_holding_hands
👭 two_women_holding_hands women_holding_hands
👫 man_and_woman_holding_hands woman_and_man_holding_hands couple
👬 two_men_holding_hands men_holding_hands
💏 couplekiss
👩‍❤️‍💋‍👨 woman-kiss-man couplekiss_man_woman kiss_woman_man
👨‍❤️‍💋‍👨 man-kiss-man couplekiss_man_man kiss_mm couplekiss_mm kiss_man_man
👩‍❤️‍💋‍👩 woman-kiss-woman couplekiss_woman_woman kiss_ww couplekiss_ww
💑 couple_with_heart
👩‍❤️‍👨 woman-heart-man couple_with_heart_woman_man
👨‍❤️‍👨 man-heart-man couple_with_heart_man_man couple_mm couple_with_heart_mm
👩‍❤️‍👩 woman-heart-woman couple_with_heart_woman_woman couple_ww couple_with_heart_ww
👨‍👩‍👦 man-woman-boy family_man_woman_boy
👨‍👩‍👧 man-woman-girl family_man_woman_girl family_mwg
👨‍👩‍👧‍👦 man-woman-girl-boy family_man_woman_girl_boy family_mwgb
👨‍👩‍👦‍👦 man-woman-boy-boy family_man_woman_boy_boy family_mwbb
👨‍👩‍👧‍👧 man-woman-girl-girl family_man_woman_girl_girl family_mwgg
👨‍👨‍👦 man-man-boy family_man_man_boy family_mmb
👨‍👨‍👧 man-man-girl family_man_man_girl family_mmg
👨‍👨‍👧‍👦 man-man-girl-boy family_man_man_girl_boy family_mmgb
👨‍👨‍👦‍👦 man-man-boy-boy family_man_man_boy_boy family_mmbb
👨‍👨‍👧‍👧 man-man-girl-girl family_man_man_girl_girl family_mmgg
👩‍👩‍👦 woman-woman-boy family_woman_woman_boy family_wwb
👩‍👩‍👧 woman-woman-girl family_woman_woman_girl family_wwg
👩‍👩‍👧‍👦 woman-woman-girl-boy family_woman_woman_girl_boy family_wwgb
👩‍👩‍👦‍👦 woman-woman-boy-boy family_woman_woman_boy_boy family_wwbb
👩‍👩‍👧‍👧 woman-woman-girl-girl family_woman_woman_girl_girl family_wwgg
👨‍👦 man-boy family_man_boy
👨‍👦‍👦 man-boy-boy family_man_boy_boy
👨‍👧 man-girl family_man_girl
👨‍👧‍👦 man-girl-boy family_man_girl_boy
👨‍👧‍👧 man-girl-girl family_man_girl_girl
👩‍👦 woman-boy family_woman_boy
👩‍👦‍👦 woman-boy-boy family_woman_boy_boy
👩‍👧 woman-girl family_woman_girl
👩‍👧‍👦 woman-girl-boy family_woman_girl_boy
👩‍👧‍👧 woman-girl-girl family_woman_girl_girl
🗣️ speaking_head_in_silhouette speaking_head
👤 bust_in_silhouette
👥 busts_in_silhouette
🫂 people_hugging
👪 family
🧑‍🧑‍🧒 family_adult_adult_child
🧑‍🧑‍🧒‍🧒 family_adult_adult_child_child
🧑‍🧒 family_adult_child
🧑‍🧒‍🧒 family_adult_child_child
👣 footprints
🫆 fingerprint
🏻 skin-tone-2 tone1
🏼 skin-tone-3 tone2
🏽 skin-tone-4 tone3
🏾 skin-tone-5 tone4
🏿 skin-tone-6 tone5
🦰 red_haired red_hair
🦱 curly_haired curly_hair
🦳 white_haired white_hair
🦲 bald
🐵 monkey_face
🐒 monkey
🦍 gorilla
🦧 orangutan
🐶 dog dog_face
🐕 dog2
🦮 guide_dog
🐕‍🦺 service_dog
🐩 poodle
🐺 wolf
🦊 fox_face fox
🦝 raccoon
🐱 cat cat_face
🐈 cat2
🐈‍⬛ black_cat
🦁 lion_face lion
🐯 tiger tiger_face
🐅 tiger2
🐆 leopard
🐴 horse horse_face
🫎 moose
🫏 donkey
🐎 racehorse
🦄 unicorn_face unicorn
🦓 zebra_face zebra
🦌 deer
🦬 bison
🐮 cow cow_face
🐂 ox
🐃 water_buffalo
🐄 cow2
🐷 pig pig_face
🐖 pig2
🐗 boar
🐽 pig_nose
🐏 ram
🐑 sheep ewe
🐐 goat
🐪 dromedary_camel
🐫 camel
🦙 llama
🦒 giraffe_face giraffe
🐘 elephant
🦣 mammoth
🦏 rhinoceros rhino
🦛 hippopotamus
🐭 mouse mouse_face
🐁 mouse2
🐀 rat
🐹 hamster
🐰 rabbit rabbit_face
🐇 rabbit2
🐿️ chipmunk
🦫 beaver
🦔 hedgehog
🦇 bat
🐻 bear
🐻‍❄️ polar_bear
🐨 koala
🐼 panda_face panda
🦥 sloth
🦦 otter
🦨 skunk
🦘 kangaroo
🦡 badger
🐾 feet paw_prints
🦃 turkey
🐔 chicken
🐓 rooster
🐣 hatching_chick
🐤 baby_chick
🐥 hatched_chick
🐦 bird
🐧 penguin
🕊️ dove_of_peace dove
🦅 eagle
🦆 duck
🦢 swan
🦉 owl
🦤 dodo
🪶 feather
🦩 flamingo
🦚 peacock
🦜 parrot
🪽 wing
🐦‍⬛ black_bird
🪿 goose
🐦‍🔥 phoenix
🐸 frog
🐊 crocodile
🐢 turtle
🦎 lizard
🐍 snake
🐲 dragon_face
🐉 dragon
🦕 sauropod
🦖 t-rex t_rex
🐳 whale
🐋 whale2
🐬 dolphin flipper
🦭 seal
🐟 fish
🐠 tropical_fish
🐡 blowfish
🦈 shark
🐙 octopus
🐚 shell spiral_shell
🪸 coral
🪼 jellyfish
🦀 crab
🦞 lobster
🦐 shrimp
🦑 squid
🦪 oyster
🐌 snail
🦋 butterfly
🐛 bug
🐜 ant
🐝 bee honeybee
🪲 beetle
🐞 ladybug lady_beetle
🦗 cricket
🪳 cockroach
🕷️ spider
🕸️ spider_web
🦂 scorpion
🦟 mosquito
🪰 fly
🪱 worm
🦠 microbe
💐 bouquet
🌸 cherry_blossom
💮 white_flower
🪷 lotus
🏵️ rosette
🌹 rose
🥀 wilted_flower wilted_rose
🌺 hibiscus
🌻 sunflower
🌼 blossom
🌷 tulip
🪻 hyacinth
🌱 seedling
🪴 potted_plant
🌲 evergreen_tree
🌳 deciduous_tree
🌴 palm_tree
🌵 cactus
🌾 ear_of_rice sheaf_of_rice
🌿 herb
☘️ shamrock
🍀 four_leaf_clover
🍁 maple_leaf
🍂 fallen_leaf
🍃 leaves
🪹 empty_nest
🪺 nest_with_eggs
🍄 mushroom
🪾 leafless_tree
🍇 grapes
🍈 melon
🍉 watermelon
🍊 tangerine mandarin orange
🍋 lemon
🍋‍🟩 lime
🍌 banana
🍍 pineapple
🥭 mango
🍎 apple red_apple
🍏 green_apple
🍐 pear
🍑 peach
🍒 cherries
🍓 strawberry
🫐 blueberries
🥝 kiwifruit kiwi_fruit kiwi
🍅 tomato
🫒 olive
🥥 coconut
🥑 avocado
🍆 eggplant
🥔 potato
🥕 carrot
🌽 corn ear_of_corn
🌶️ hot_pepper
🫑 bell_pepper
🥒 cucumber
🥬 leafy_green
🥦 broccoli
🧄 garlic
🧅 onion
🥜 peanuts shelled_peanut
🫘 beans
🌰 chestnut
🫚 ginger_root
🫛 pea_pod
🍄‍🟫 brown_mushroom
🫜 root_vegetable
🍞 bread
🥐 croissant
🥖 baguette_bread french_bread
🫓 flatbread
🥨 pretzel
🥯 bagel
🥞 pancakes
🧇 waffle
🧀 cheese_wedge cheese
🍖 meat_on_bone
🍗 poultry_leg
🥩 cut_of_meat
🥓 bacon
🍔 hamburger
🍟 fries french_fries
🍕 pizza
🌭 hotdog hot_dog
🥪 sandwich
🌮 taco
🌯 burrito
🫔 tamale
🥙 stuffed_flatbread stuffed_pita
🧆 falafel
🥚 egg
🍳 fried_egg cooking
🥘 shallow_pan_of_food paella
🍲 stew pot_of_food
🫕 fondue
🥣 bowl_with_spoon
🥗 green_salad salad
🍿 popcorn
🧈 butter
🧂 salt
🥫 canned_food
🍱 bento bento_box
🍘 rice_cracker
🍙 rice_ball
🍚 rice cooked_rice
🍛 curry curry_rice
🍜 ramen steaming_bowl
🍝 spaghetti
🍠 sweet_potato
🍢 oden
🍣 sushi
🍤 fried_shrimp
🍥 fish_cake
🥮 moon_cake
🍡 dango
🥟 dumpling
🥠 fortune_cookie
🥡 takeout_box
🍦 icecream
🍧 shaved_ice
🍨 ice_cream
🍩 doughnut
🍪 cookie
🎂 birthday birthday_cake
🍰 cake shortcake
🧁 cupcake
🥧 pie
🍫 chocolate_bar
🍬 candy
🍭 lollipop
🍮 custard pudding flan
🍯 honey_pot
🍼 baby_bottle
🥛 glass_of_milk milk_glass milk
☕ coffee hot_beverage
🫖 teapot
🍵 tea
🍶 sake
🍾 champagne bottle_with_popping_cork
🍷 wine_glass
🍸 cocktail
🍹 tropical_drink
🍺 beer beer_mug
🍻 beers
🥂 clinking_glasses champagne_glass clinking_glass
🥃 tumbler_glass whisky
🫗 pouring_liquid
🥤 cup_with_straw
🧋 bubble_tea
🧃 beverage_box
🧉 mate_drink mate
🧊 ice_cube
🥢 chopsticks
🍽️ knife_fork_plate plate_with_cutlery fork_knife_plate fork_and_knife_with_plate
🍴 fork_and_knife
🥄 spoon
🔪 hocho knife kitchen_knife
🫙 jar
🏺 amphora
🌍 earth_africa
🌎 earth_americas
🌏 earth_asia
🌐 globe_with_meridians
🗺️ world_map map
🗾 japan map_of_japan
🧭 compass
🏔️ snow_capped_mountain mountain_snow
⛰️ mountain
🌋 volcano
🗻 mount_fuji
🏕️ camping
🏖️ beach_with_umbrella beach_umbrella beach
🏜️ desert
🏝️ desert_island island
🏞️ national_park park
🏟️ stadium
🏛️ classical_building
🏗️ building_construction construction_site
🧱 bricks brick
🪨 rock
🪵 wood
🛖 hut
🏘️ house_buildings houses homes
🏚️ derelict_house_building derelict_house house_abandoned
🏠 house
🏡 house_with_garden
🏢 office
🏣 post_office
🏤 european_post_office
🏥 hospital
🏦 bank
🏨 hotel
🏩 love_hotel
🏪 convenience_store
🏫 school
🏬 department_store
🏭 factory
🏯 japanese_castle
🏰 european_castle castle
💒 wedding
🗼 tokyo_tower
🗽 statue_of_liberty
⛪ church
🕌 mosque
🛕 hindu_temple
🕍 synagogue
⛩️ shinto_shrine
🕋 kaaba
⛲ fountain
⛺ tent
🌁 foggy
🌃 night_with_stars
🏙️ cityscape
🌄 sunrise_over_mountains
🌅 sunrise
🌆 city_sunset city_dusk
🌇 city_sunrise sunset
🌉 bridge_at_night
♨️ hotsprings hot_springs
🎠 carousel_horse
🛝 playground_slide
🎡 ferris_wheel
🎢 roller_coaster
💈 barber barber_pole
🎪 circus_tent
🚂 steam_locomotive locomotive
🚃 railway_car
🚄 bullettrain_side
🚅 bullettrain_front bullet_train
🚆 train2
🚇 metro
🚈 light_rail
🚉 station
🚊 tram
🚝 monorail
🚞 mountain_railway
🚋 train tram_car
🚌 bus
🚍 oncoming_bus
🚎 trolleybus
🚐 minibus
🚑 ambulance
🚒 fire_engine
🚓 police_car
🚔 oncoming_police_car
🚕 taxi
🚖 oncoming_taxi
🚗 car red_car automobile
🚘 oncoming_automobile
🚙 blue_car
🛻 pickup_truck
🚚 truck
🚛 articulated_lorry
🚜 tractor
🏎️ racing_car race_car
🏍️ racing_motorcycle motorcycle
🛵 motor_scooter motorbike
🦽 manual_wheelchair
🦼 motorized_wheelchair
🛺 auto_rickshaw
🚲 bike bicycle
🛴 scooter kick_scooter
🛹 skateboard
🛼 roller_skate
🚏 busstop bus_stop
🛣️ motorway
🛤️ railway_track railroad_track
🛢️ oil_drum oil
⛽ fuelpump fuel_pump
🛞 wheel
🚨 rotating_light
🚥 traffic_light
🚦 vertical_traffic_light
🛑 octagonal_sign stop_sign
🚧 construction
⚓ anchor
🛟 ring_buoy
⛵ boat sailboat
🛶 canoe kayak
🚤 speedboat
🛳️ passenger_ship cruise_ship
⛴️ ferry
🛥️ motor_boat motorboat
🚢 ship
✈️ airplane
🛩️ small_airplane airplane_small
🛫 airplane_departure flight_departure
🛬 airplane_arriving flight_arrival
🪂 parachute
💺 seat
🚁 helicopter
🚟 suspension_railway
🚠 mountain_cableway
🚡 aerial_tramway
🛰️ satellite artificial_satellite satellite_orbital
🚀 rocket
🛸 flying_saucer
🛎️ bellhop_bell bellhop
🧳 luggage
⌛ hourglass
⏳ hourglass_flowing_sand
⌚ watch
⏰ alarm_clock
⏱️ stopwatch
⏲️ timer_clock timer
🕰️ mantelpiece_clock clock mantlepiece_clock
🕛 clock12 twelve_oclock
🕧 clock1230 twelve_thirty
🕐 clock1 one_oclock
🕜 clock130 one_thirty
🕑 clock2 two_oclock
🕝 clock230 two_thirty
🕒 clock3 three_oclock
🕞 clock330 three_thirty
🕓 clock4 four_oclock
🕟 clock430 four_thirty
🕔 clock5 five_oclock
🕠 clock530 five_thirty
🕕 clock6 six_oclock
🕡 clock630 six_thirty
🕖 clock7 seven_oclock
🕢 clock730 seven_thirty
🕗 clock8 eight_oclock
🕣 clock830 eight_thirty
🕘 clock9 nine_oclock
🕤 clock930 nine_thirty
🕙 clock10 ten_oclock
🕥 clock1030 ten_thirty
🕚 clock11 eleven_oclock
🕦 clock1130 eleven_thirty
🌑 new_moon
🌒 waxing_crescent_moon
🌓 first_quarter_moon
🌔 moon waxing_gibbous_moon
🌕 full_moon
🌖 waning_gibbous_moon
🌗 last_quarter_moon
🌘 waning_crescent_moon
🌙 crescent_moon
🌚 new_moon_with_face new_moon_face
🌛 first_quarter_moon_with_face
🌜 last_quarter_moon_with_face
🌡️ thermometer
☀️ sunny sun
🌝 full_moon_with_face
🌞 sun_with_face
🪐 ringed_planet
⭐ star
🌟 star2 glowing_star
🌠 stars shooting_star
🌌 milky_way
☁️ cloud
⛅ partly_sunny
⛈️ thunder_cloud_and_rain cloud_with_lightning_and_rain thunder_cloud_rain
🌤️ mostly_sunny sun_small_cloud sun_behind_small_cloud white_sun_small_cloud white_sun_with_small_cloud
🌥️ barely_sunny sun_behind_cloud sun_behind_large_cloud white_sun_cloud white_sun_behind_cloud
🌦️ partly_sunny_rain sun_behind_rain_cloud white_sun_rain_cloud white_sun_behind_cloud_with_rain
🌧️ rain_cloud cloud_with_rain cloud_rain
🌨️ snow_cloud cloud_with_snow cloud_snow
🌩️ lightning lightning_cloud cloud_with_lightning cloud_lightning
🌪️ tornado tornado_cloud cloud_tornado cloud_with_tornado
🌫️ fog
🌬️ wind_blowing_face wind_face
🌀 cyclone
🌈 rainbow
🌂 closed_umbrella
☂️ umbrella open_umbrella umbrella2
☔ umbrella_with_rain_drops
⛱️ umbrella_on_ground parasol_on_ground
⚡ zap high_voltage
❄️ snowflake
☃️ snowman snowman_with_snow snowman2
⛄ snowman_without_snow
☄️ comet
🔥 fire flame
💧 droplet
🌊 ocean water_wave
🎃 jack_o_lantern
🎄 christmas_tree
🎆 fireworks
🎇 sparkler
🧨 firecracker
✨ sparkles
🎈 balloon
🎉 tada party_popper
🎊 confetti_ball
🎋 tanabata_tree
🎍 bamboo
🎎 dolls
🎏 flags carp_streamer
🎐 wind_chime
🎑 rice_scene
🧧 red_envelope
🎀 ribbon
🎁 gift wrapped_gift
🎗️ reminder_ribbon
🎟️ admission_tickets tickets
🎫 ticket
🎖️ medal medal_military military_medal
🏆 trophy
🏅 sports_medal medal_sports
🥇 first_place_medal 1st_place_medal first_place
🥈 second_place_medal 2nd_place_medal second_place
🥉 third_place_medal 3rd_place_medal third_place
⚽ soccer soccer_ball
⚾ baseball
🥎 softball
🏀 basketball
🏐 volleyball
🏈 football
🏉 rugby_football
🎾 tennis
🥏 flying_disc
🎳 bowling
🏏 cricket_bat_and_ball cricket_game cricket_bat_ball
🏑 field_hockey_stick_and_ball field_hockey
🏒 ice_hockey_stick_and_puck ice_hockey hockey
🥍 lacrosse
🏓 table_tennis_paddle_and_ball ping_pong table_tennis
🏸 badminton_racquet_and_shuttlecock badminton
🥊 boxing_glove boxing_gloves
🥋 martial_arts_uniform karate_uniform
🥅 goal_net goal
⛳ golf flag_in_hole
⛸️ ice_skate
🎣 fishing_pole_and_fish fishing_pole
🤿 diving_mask
🎽 running_shirt_with_sash running_shirt
🎿 ski skis
🛷 sled
🥌 curling_stone
🎯 dart direct_hit
🪀 yo-yo yo_yo
🪁 kite
🔫 gun pistol
🎱 8ball
🔮 crystal_ball
🪄 magic_wand
🎮 video_game
🕹️ joystick
🎰 slot_machine
🎲 game_die
🧩 jigsaw puzzle_piece
🧸 teddy_bear
🪅 pinata
🪩 mirror_ball
🪆 nesting_dolls
♠️ spades spade_suit
♥️ hearts heart_suit
♦️ diamonds diamond_suit
♣️ clubs club_suit
♟️ chess_pawn
🃏 black_joker joker
🀄 mahjong
🎴 flower_playing_cards
🎭 performing_arts
🖼️ frame_with_picture framed_picture frame_photo
🎨 art
🧵 thread
🪡 sewing_needle
🧶 yarn
🪢 knot
👓 eyeglasses glasses
🕶️ dark_sunglasses
🥽 goggles
🥼 lab_coat
🦺 safety_vest
👔 necktie
👕 shirt tshirt t_shirt
👖 jeans
🧣 scarf
🧤 gloves
🧥 coat
🧦 socks
👗 dress
👘 kimono
🥻 sari
🩱 one-piece_swimsuit one_piece_swimsuit
🩲 briefs swim_brief
🩳 shorts
👙 bikini
👚 womans_clothes
🪭 folding_hand_fan
👛 purse
👜 handbag
👝 pouch clutch_bag
🛍️ shopping_bags shopping
🎒 school_satchel backpack
🩴 thong_sandal
👞 mans_shoe shoe
👟 athletic_shoe running_shoe
🥾 hiking_boot
🥿 womans_flat_shoe flat_shoe
👠 high_heel
👡 sandal womans_sandal
🩰 ballet_shoes
👢 boot womans_boot
🪮 hair_pick
👑 crown
👒 womans_hat
🎩 tophat top_hat
🎓 mortar_board
🧢 billed_cap
🪖 military_helmet
⛑️ helmet_with_white_cross rescue_worker_helmet helmet_with_cross
📿 prayer_beads
💄 lipstick
💍 ring
💎 gem gem_stone
🔇 mute muted_speaker
🔈 speaker
🔉 sound
🔊 loud_sound
📢 loudspeaker
📣 mega megaphone
📯 postal_horn
🔔 bell
🔕 no_bell
🎼 musical_score
🎵 musical_note
🎶 notes musical_notes
🎙️ studio_microphone microphone2
🎚️ level_slider
🎛️ control_knobs
🎤 microphone
🎧 headphones headphone
📻 radio
🎷 saxophone
🎺 trumpet
🪗 accordion
🎸 guitar
🎹 musical_keyboard
🎻 violin
🪕 banjo
🥁 drum_with_drumsticks drum
🪘 long_drum
🪇 maracas
🪈 flute
🪉 harp
📱 iphone mobile_phone
📲 calling
☎️ phone telephone
📞 telephone_receiver
📟 pager
📠 fax fax_machine
🔋 battery
🪫 low_battery
🔌 electric_plug
💻 computer
🖥️ desktop_computer desktop
🖨️ printer
⌨️ keyboard
🖱️ three_button_mouse computer_mouse mouse_three_button
🖲️ trackball
💽 minidisc computer_disk
💾 floppy_disk
💿 cd optical_disk
📀 dvd
🧮 abacus
🎥 movie_camera
🎞️ film_frames film_strip
📽️ film_projector projector
🎬 clapper clapper_board
📺 tv television
📷 camera
📸 camera_with_flash camera_flash
📹 video_camera
📼 vhs videocassette
🔍 mag
🔎 mag_right
🕯️ candle
💡 bulb light_bulb
🔦 flashlight
🏮 izakaya_lantern lantern
🪔 diya_lamp
📔 notebook_with_decorative_cover
📕 closed_book
📖 book open_book
📗 green_book
📘 blue_book
📙 orange_book
📚 books
📓 notebook
📒 ledger
📃 page_with_curl
📜 scroll
📄 page_facing_up
📰 newspaper
🗞️ rolled_up_newspaper newspaper_roll newspaper2
📑 bookmark_tabs
🔖 bookmark
🏷️ label
🪙 coin
💰 moneybag money_bag
💴 yen yen_banknote
💵 dollar
💶 euro euro_banknote
💷 pound
💸 money_with_wings
💳 credit_card
🧾 receipt
💹 chart
✉️ email envelope
📧 e-mail e_mail
📨 incoming_envelope
📩 envelope_with_arrow
📤 outbox_tray
📥 inbox_tray
📦 package
📫 mailbox
📪 mailbox_closed
📬 mailbox_with_mail
📭 mailbox_with_no_mail
📮 postbox
🗳️ ballot_box_with_ballot ballot_box
✏️ pencil2
✒️ black_nib
🖋️ lower_left_fountain_pen fountain_pen pen_fountain
🖊️ lower_left_ballpoint_pen pen pen_ballpoint
🖌️ lower_left_paintbrush paintbrush
🖍️ lower_left_crayon crayon
📝 memo pencil
💼 briefcase
📁 file_folder
📂 open_file_folder
🗂️ card_index_dividers dividers
📅 date
📆 calendar
🗒️ spiral_note_pad spiral_notepad notepad_spiral
🗓️ spiral_calendar_pad spiral_calendar calendar_spiral
📇 card_index
📈 chart_with_upwards_trend
📉 chart_with_downwards_trend
📊 bar_chart
📋 clipboard
📌 pushpin
📍 round_pushpin
📎 paperclip
🖇️ linked_paperclips paperclips
📏 straight_ruler
📐 triangular_ruler
✂️ scissors
🗃️ card_file_box card_box
🗄️ file_cabinet
🗑️ wastebasket
🔒 lock locked
🔓 unlock unlocked
🔏 lock_with_ink_pen
🔐 closed_lock_with_key
🔑 key
🗝️ old_key key2
🔨 hammer
🪓 axe
⛏️ pick
⚒️ hammer_and_pick hammer_pick
🛠️ hammer_and_wrench tools
🗡️ dagger_knife dagger
⚔️ crossed_swords
💣 bomb
🪃 boomerang
🏹 bow_and_arrow archery
🛡️ shield
🪚 carpentry_saw
🔧 wrench
🪛 screwdriver
🔩 nut_and_bolt
⚙️ gear
🗜️ compression clamp
⚖️ scales balance_scale
🦯 probing_cane
🔗 link
⛓️‍💥 broken_chain
⛓️ chains
🪝 hook
🧰 toolbox
🧲 magnet
🪜 ladder
🪏 shovel
⚗️ alembic
🧪 test_tube
🧫 petri_dish
🧬 dna
🔬 microscope
🔭 telescope
📡 satellite_antenna
💉 syringe
🩸 drop_of_blood
💊 pill
🩹 adhesive_bandage
🩼 crutch
🩺 stethoscope
🩻 x-ray x_ray
🚪 door
🛗 elevator
🪞 mirror
🪟 window
🛏️ bed
🛋️ couch_and_lamp couch
🪑 chair
🚽 toilet
🪠 plunger
🚿 shower
🛁 bathtub
🪤 mouse_trap
🪒 razor
🧴 lotion_bottle squeeze_bottle
🧷 safety_pin
🧹 broom
🧺 basket
🧻 roll_of_paper
🪣 bucket
🧼 soap
🫧 bubbles
🪥 toothbrush
🧽 sponge
🧯 fire_extinguisher
🛒 shopping_trolley shopping_cart
🚬 smoking cigarette
⚰️ coffin
🪦 headstone
⚱️ funeral_urn urn
🧿 nazar_amulet
🪬 hamsa
🗿 moyai moai
🪧 placard
🪪 identification_card
🏧 atm
🚮 put_litter_in_its_place
🚰 potable_water
♿ wheelchair
🚹 mens mens_room
🚺 womens womens_room
🚻 restroom
🚼 baby_symbol
🚾 wc water_closet
🛂 passport_control
🛃 customs
🛄 baggage_claim
🛅 left_luggage
⚠️ warning
🚸 children_crossing
⛔ no_entry
🚫 no_entry_sign prohibited
🚳 no_bicycles
🚭 no_smoking
🚯 do_not_litter no_littering
🚱 non-potable_water
🚷 no_pedestrians
📵 no_mobile_phones
🔞 underage
☢️ radioactive_sign radioactive
☣️ biohazard_sign biohazard
⬆️ arrow_up up_arrow
↗️ arrow_upper_right
➡️ arrow_right right_arrow
↘️ arrow_lower_right
⬇️ arrow_down down_arrow
↙️ arrow_lower_left
⬅️ arrow_left left_arrow
↖️ arrow_upper_left up_left_arrow
↕️ arrow_up_down up_down_arrow
↔️ left_right_arrow
↩️ leftwards_arrow_with_hook
↪️ arrow_right_hook
⤴️ arrow_heading_up
⤵️ arrow_heading_down
🔃 arrows_clockwise
🔄 arrows_counterclockwise
🔙 back back_arrow
🔚 end end_arrow
🔛 on on_arrow
🔜 soon soon_arrow
🔝 top top_arrow
🛐 place_of_worship worship_symbol
⚛️ atom_symbol atom
🕉️ om_symbol om
✡️ star_of_david
☸️ wheel_of_dharma
☯️ yin_yang
✝️ latin_cross cross
☦️ orthodox_cross
☪️ star_and_crescent
☮️ peace_symbol peace
🕎 menorah_with_nine_branches menorah
🔯 six_pointed_star
🪯 khanda
♈ aries
♉ taurus
♊ gemini
♋ cancer
♌ leo
♍ virgo
♎ libra
♏ scorpius scorpio
♐ sagittarius
♑ capricorn
♒ aquarius
♓ pisces
⛎ ophiuchus
🔀 twisted_rightwards_arrows
🔁 repeat
🔂 repeat_one
▶️ arrow_forward
⏩ fast_forward
⏭️ black_right_pointing_double_triangle_with_vertical_bar next_track_button track_next next_track
⏯️ black_right_pointing_triangle_with_double_vertical_bar play_or_pause_button play_pause
◀️ arrow_backward
⏪ rewind
⏮️ black_left_pointing_double_triangle_with_vertical_bar previous_track_button track_previous previous_track
🔼 arrow_up_small
⏫ arrow_double_up
🔽 arrow_down_small
⏬ arrow_double_down
⏸️ double_vertical_bar pause_button
⏹️ black_square_for_stop stop_button
⏺️ black_circle_for_record record_button
⏏️ eject eject_button eject_symbol
🎦 cinema
🔅 low_brightness
🔆 high_brightness
📶 signal_strength antenna_bars
🛜 wireless
📳 vibration_mode
📴 mobile_phone_off
♀️ female_sign
♂️ male_sign
⚧️ transgender_symbol
✖️ heavy_multiplication_x
➕ heavy_plus_sign
➖ heavy_minus_sign
➗ heavy_division_sign
🟰 heavy_equals_sign
♾️ infinity
‼️ bangbang
⁉️ interrobang
❓ question question_mark
❔ grey_question
❕ grey_exclamation
❗ exclamation heavy_exclamation_mark
〰️ wavy_dash
💱 currency_exchange
💲 heavy_dollar_sign
⚕️ medical_symbol staff_of_aesculapius
♻️ recycle
⚜️ fleur_de_lis fleur-de-lis
🔱 trident
📛 name_badge
🔰 beginner
⭕ o
✅ white_check_mark
☑️ ballot_box_with_check
✔️ heavy_check_mark check_mark
❌ x cross_mark
❎ negative_squared_cross_mark
➰ curly_loop
➿ loop
〽️ part_alternation_mark
✳️ eight_spoked_asterisk
✴️ eight_pointed_black_star
❇️ sparkle
©️ copyright
®️ registered
™️ tm trade_mark
🫟 splatter
#️⃣ hash
*️⃣ keycap_star asterisk keycap_asterisk
0️⃣ zero
1️⃣ one
2️⃣ two
3️⃣ three
4️⃣ four
5️⃣ five
6️⃣ six
7️⃣ seven
8️⃣ eight
9️⃣ nine
🔟 keycap_ten
🔠 capital_abcd
🔡 abcd
🔢 1234 input_numbers
🔣 symbols input_symbols
🔤 abc
🅰️ a
🆎 ab
🅱️ b
🆑 cl
🆒 cool
🆓 free
ℹ️ information_source information
🆔 id
Ⓜ️ m circled_m
🆕 new
🆖 ng
🅾️ o2
🆗 ok
🅿️ parking
🆘 sos
🆙 up
🆚 vs
🈁 koko
🈂️ sa
🈷️ u6708
🈶 u6709
🈯 u6307
🉐 ideograph_advantage
🈹 u5272
🈚 u7121
🈲 u7981
🉑 accept
🈸 u7533
🈴 u5408
🈳 u7a7a
㊗️ congratulations
㊙️ secret
🈺 u55b6
🈵 u6e80
🔴 red_circle
🟠 large_orange_circle orange_circle
🟡 large_yellow_circle yellow_circle
🟢 large_green_circle green_circle
🔵 large_blue_circle blue_circle
🟣 large_purple_circle purple_circle
🟤 large_brown_circle brown_circle
⚫ black_circle
⚪ white_circle
🟥 large_red_square red_square
🟧 large_orange_square orange_square
🟨 large_yellow_square yellow_square
🟩 large_green_square green_square
🟦 large_blue_square blue_square
🟪 large_purple_square purple_square
🟫 large_brown_square brown_square
⬛ black_large_square
⬜ white_large_square
◼️ black_medium_square
◻️ white_medium_square
◾ black_medium_small_square
◽ white_medium_small_square
▪️ black_small_square
▫️ white_small_square
🔶 large_orange_diamond
🔷 large_blue_diamond
🔸 small_orange_diamond
🔹 small_blue_diamond
🔺 small_red_triangle
🔻 small_red_triangle_down
💠 diamond_shape_with_a_dot_inside
🔘 radio_button
🔳 white_square_button
🔲 black_square_button
🏁 checkered_flag
🚩 triangular_flag_on_post
🎌 crossed_flags
🏴 waving_black_flag black_flag flag_black
🏳️ waving_white_flag white_flag flag_white
🏳️‍🌈 rainbow-flag rainbow_flag gay_pride_flag
🏳️‍⚧️ transgender_flag
🏴‍☠️ pirate_flag
🇦🇨 flag-ac ascension_island flag_ac ac
🇦🇩 flag-ad andorra flag_ad ad
🇦🇪 flag-ae united_arab_emirates flag_ae ae
🇦🇫 flag-af afghanistan flag_af af
🇦🇬 flag-ag antigua_barbuda flag_ag ag
🇦🇮 flag-ai anguilla flag_ai ai
🇦🇱 flag-al albania flag_al al
🇦🇲 flag-am armenia flag_am am
🇦🇴 flag-ao angola flag_ao ao
🇦🇶 flag-aq antarctica flag_aq aq
🇦🇷 flag-ar argentina flag_ar ar
🇦🇸 flag-as american_samoa flag_as as
🇦🇹 flag-at austria flag_at at
🇦🇺 flag-au australia flag_au au
🇦🇼 flag-aw aruba flag_aw aw
🇦🇽 flag-ax aland_islands flag_ax ax
🇦🇿 flag-az azerbaijan flag_az az
🇧🇦 flag-ba bosnia_herzegovina flag_ba ba
🇧🇧 flag-bb barbados flag_bb bb
🇧🇩 flag-bd bangladesh flag_bd bd
🇧🇪 flag-be belgium flag_be be
🇧🇫 flag-bf burkina_faso flag_bf bf
🇧🇬 flag-bg bulgaria flag_bg bg
🇧🇭 flag-bh bahrain flag_bh bh
🇧🇮 flag-bi burundi flag_bi bi
🇧🇯 flag-bj benin flag_bj bj
🇧🇱 flag-bl st_barthelemy flag_bl bl
🇧🇲 flag-bm bermuda flag_bm bm
🇧🇳 flag-bn brunei flag_bn bn
🇧🇴 flag-bo bolivia flag_bo bo
🇧🇶 flag-bq caribbean_netherlands flag_bq bq
🇧🇷 flag-br brazil flag_br br
🇧🇸 flag-bs bahamas flag_bs bs
🇧🇹 flag-bt bhutan flag_bt bt
🇧🇻 flag-bv bouvet_island flag_bv bv
🇧🇼 flag-bw botswana flag_bw bw
🇧🇾 flag-by belarus flag_by by
🇧🇿 flag-bz belize flag_bz bz
🇨🇦 flag-ca canada flag_ca ca
🇨🇨 flag-cc cocos_islands flag_cc cc
🇨🇩 flag-cd congo_kinshasa flag_cd congo
🇨🇫 flag-cf central_african_republic flag_cf cf
🇨🇬 flag-cg congo_brazzaville flag_cg cg
🇨🇭 flag-ch switzerland flag_ch ch
🇨🇮 flag-ci cote_divoire flag_ci ci
🇨🇰 flag-ck cook_islands flag_ck ck
🇨🇱 flag-cl chile flag_cl
🇨🇲 flag-cm cameroon flag_cm cm
🇨🇳 cn flag-cn flag_cn
🇨🇴 flag-co colombia flag_co co
🇨🇵 flag-cp clipperton_island flag_cp cp
🇨🇶 flag-sark
🇨🇷 flag-cr costa_rica flag_cr cr
🇨🇺 flag-cu cuba flag_cu cu
🇨🇻 flag-cv cape_verde flag_cv cv
🇨🇼 flag-cw curacao flag_cw cw
🇨🇽 flag-cx christmas_island flag_cx cx
🇨🇾 flag-cy cyprus flag_cy cy
🇨🇿 flag-cz czech_republic flag_cz cz
🇩🇪 de flag-de flag_de
🇩🇬 flag-dg diego_garcia flag_dg dg
🇩🇯 flag-dj djibouti flag_dj dj
🇩🇰 flag-dk denmark flag_dk dk
🇩🇲 flag-dm dominica flag_dm dm
🇩🇴 flag-do dominican_republic flag_do do
🇩🇿 flag-dz algeria flag_dz dz
🇪🇦 flag-ea ceuta_melilla flag_ea ea
🇪🇨 flag-ec ecuador flag_ec ec
🇪🇪 flag-ee estonia flag_ee ee
🇪🇬 flag-eg egypt flag_eg eg
🇪🇭 flag-eh western_sahara flag_eh eh
🇪🇷 flag-er eritrea flag_er er
🇪🇸 es flag-es flag_es
🇪🇹 flag-et ethiopia flag_et et
🇪🇺 flag-eu eu european_union flag_eu
🇫🇮 flag-fi finland flag_fi fi
🇫🇯 flag-fj fiji flag_fj fj
🇫🇰 flag-fk falkland_islands flag_fk fk
🇫🇲 flag-fm micronesia flag_fm fm
🇫🇴 flag-fo faroe_islands flag_fo fo
🇫🇷 fr flag-fr flag_fr
🇬🇦 flag-ga gabon flag_ga ga
🇬🇧 gb uk flag-gb flag_gb
🇬🇩 flag-gd grenada flag_gd gd
🇬🇪 flag-ge georgia flag_ge ge
🇬🇫 flag-gf french_guiana flag_gf gf
🇬🇬 flag-gg guernsey flag_gg gg
🇬🇭 flag-gh ghana flag_gh gh
🇬🇮 flag-gi gibraltar flag_gi gi
🇬🇱 flag-gl greenland flag_gl gl
🇬🇲 flag-gm gambia flag_gm gm
🇬🇳 flag-gn guinea flag_gn gn
🇬🇵 flag-gp guadeloupe flag_gp gp
🇬🇶 flag-gq equatorial_guinea flag_gq gq
🇬🇷 flag-gr greece flag_gr gr
🇬🇸 flag-gs south_georgia_south_sandwich_islands flag_gs gs
🇬🇹 flag-gt guatemala flag_gt gt
🇬🇺 flag-gu guam flag_gu gu
🇬🇼 flag-gw guinea_bissau flag_gw gw
🇬🇾 flag-gy guyana flag_gy gy
🇭🇰 flag-hk hong_kong flag_hk hk
🇭🇲 flag-hm heard_mcdonald_islands flag_hm hm
🇭🇳 flag-hn honduras flag_hn hn
🇭🇷 flag-hr croatia flag_hr hr
🇭🇹 flag-ht haiti flag_ht ht
🇭🇺 flag-hu hungary flag_hu hu
🇮🇨 flag-ic canary_islands flag_ic ic
🇮🇩 flag-id indonesia flag_id
🇮🇪 flag-ie ireland flag_ie ie
🇮🇱 flag-il israel flag_il il
🇮🇲 flag-im isle_of_man flag_im im
🇮🇳 flag-in india flag_in in
🇮🇴 flag-io british_indian_ocean_territory flag_io io
🇮🇶 flag-iq iraq flag_iq iq
🇮🇷 flag-ir iran flag_ir ir
🇮🇸 flag-is iceland flag_is is
🇮🇹 it flag-it flag_it
🇯🇪 flag-je jersey flag_je je
🇯🇲 flag-jm jamaica flag_jm jm
🇯🇴 flag-jo jordan flag_jo jo
🇯🇵 jp flag-jp flag_jp
🇰🇪 flag-ke kenya flag_ke ke
🇰🇬 flag-kg kyrgyzstan flag_kg kg
🇰🇭 flag-kh cambodia flag_kh kh
🇰🇮 flag-ki kiribati flag_ki ki
🇰🇲 flag-km comoros flag_km km
🇰🇳 flag-kn st_kitts_nevis flag_kn kn
🇰🇵 flag-kp north_korea flag_kp kp
🇰🇷 kr flag-kr flag_kr
🇰🇼 flag-kw kuwait flag_kw kw
🇰🇾 flag-ky cayman_islands flag_ky ky
🇰🇿 flag-kz kazakhstan flag_kz kz
🇱🇦 flag-la laos flag_la la
🇱🇧 flag-lb lebanon flag_lb lb
🇱🇨 flag-lc st_lucia flag_lc lc
🇱🇮 flag-li liechtenstein flag_li li
🇱🇰 flag-lk sri_lanka flag_lk lk
🇱🇷 flag-lr liberia flag_lr lr
🇱🇸 flag-ls lesotho flag_ls ls
🇱🇹 flag-lt lithuania flag_lt lt
🇱🇺 flag-lu luxembourg flag_lu lu
🇱🇻 flag-lv latvia flag_lv lv
🇱🇾 flag-ly libya flag_ly ly
🇲🇦 flag-ma morocco flag_ma ma
🇲🇨 flag-mc monaco flag_mc mc
🇲🇩 flag-md moldova flag_md md
🇲🇪 flag-me montenegro flag_me me
🇲🇫 flag-mf st_martin flag_mf mf
🇲🇬 flag-mg madagascar flag_mg mg
🇲🇭 flag-mh marshall_islands flag_mh mh
🇲🇰 flag-mk macedonia flag_mk mk
🇲🇱 flag-ml mali flag_ml ml
🇲🇲 flag-mm myanmar flag_mm mm
🇲🇳 flag-mn mongolia flag_mn mn
🇲🇴 flag-mo macau flag_mo mo
🇲🇵 flag-mp northern_mariana_islands flag_mp mp
🇲🇶 flag-mq martinique flag_mq mq
🇲🇷 flag-mr mauritania flag_mr mr
🇲🇸 flag-ms montserrat flag_ms ms
🇲🇹 flag-mt malta flag_mt mt
🇲🇺 flag-mu mauritius flag_mu mu
🇲🇻 flag-mv maldives flag_mv mv
🇲🇼 flag-mw malawi flag_mw mw
🇲🇽 flag-mx mexico flag_mx mx
🇲🇾 flag-my malaysia flag_my my
🇲🇿 flag-mz mozambique flag_mz mz
🇳🇦 flag-na namibia flag_na na
🇳🇨 flag-nc new_caledonia flag_nc nc
🇳🇪 flag-ne niger flag_ne ne
🇳🇫 flag-nf norfolk_island flag_nf nf
🇳🇬 flag-ng nigeria flag_ng
🇳🇮 flag-ni nicaragua flag_ni ni
🇳🇱 flag-nl netherlands flag_nl nl
🇳🇴 flag-no norway flag_no no
🇳🇵 flag-np nepal flag_np np
🇳🇷 flag-nr nauru flag_nr nr
🇳🇺 flag-nu niue flag_nu nu
🇳🇿 flag-nz new_zealand flag_nz nz
🇴🇲 flag-om oman flag_om
🇵🇦 flag-pa panama flag_pa pa
🇵🇪 flag-pe peru flag_pe pe
🇵🇫 flag-pf french_polynesia flag_pf pf
🇵🇬 flag-pg papua_new_guinea flag_pg pg
🇵🇭 flag-ph philippines flag_ph ph
🇵🇰 flag-pk pakistan flag_pk pk
🇵🇱 flag-pl poland flag_pl pl
🇵🇲 flag-pm st_pierre_miquelon flag_pm pm
🇵🇳 flag-pn pitcairn_islands flag_pn pn
🇵🇷 flag-pr puerto_rico flag_pr pr
🇵🇸 flag-ps palestinian_territories flag_ps ps
🇵🇹 flag-pt portugal flag_pt pt
🇵🇼 flag-pw palau flag_pw pw
🇵🇾 flag-py paraguay flag_py py
🇶🇦 flag-qa qatar flag_qa qa
🇷🇪 flag-re reunion flag_re re
🇷🇴 flag-ro romania flag_ro ro
🇷🇸 flag-rs serbia flag_rs rs
🇷🇺 ru flag-ru flag_ru
🇷🇼 flag-rw rwanda flag_rw rw
🇸🇦 flag-sa saudi_arabia flag_sa saudiarabia saudi
🇸🇧 flag-sb solomon_islands flag_sb sb
🇸🇨 flag-sc seychelles flag_sc sc
🇸🇩 flag-sd sudan flag_sd sd
🇸🇪 flag-se sweden flag_se se
🇸🇬 flag-sg singapore flag_sg sg
🇸🇭 flag-sh st_helena flag_sh sh
🇸🇮 flag-si slovenia flag_si si
🇸🇯 flag-sj svalbard_jan_mayen flag_sj sj
🇸🇰 flag-sk slovakia flag_sk sk
🇸🇱 flag-sl sierra_leone flag_sl sl
🇸🇲 flag-sm san_marino flag_sm sm
🇸🇳 flag-sn senegal flag_sn sn
🇸🇴 flag-so somalia flag_so so
🇸🇷 flag-sr suriname flag_sr sr
🇸🇸 flag-ss south_sudan flag_ss ss
🇸🇹 flag-st sao_tome_principe flag_st st
🇸🇻 flag-sv el_salvador flag_sv sv
🇸🇽 flag-sx sint_maarten flag_sx sx
🇸🇾 flag-sy syria flag_sy sy
🇸🇿 flag-sz swaziland flag_sz sz
🇹🇦 flag-ta tristan_da_cunha flag_ta ta
🇹🇨 flag-tc turks_caicos_islands flag_tc tc
🇹🇩 flag-td chad flag_td td
🇹🇫 flag-tf french_southern_territories flag_tf tf
🇹🇬 flag-tg togo flag_tg tg
🇹🇭 flag-th thailand flag_th th
🇹🇯 flag-tj tajikistan flag_tj tj
🇹🇰 flag-tk tokelau flag_tk tk
🇹🇱 flag-tl timor_leste flag_tl tl
🇹🇲 flag-tm turkmenistan flag_tm
🇹🇳 flag-tn tunisia flag_tn tn
🇹🇴 flag-to tonga flag_to to
🇹🇷 flag-tr tr flag_tr
🇹🇹 flag-tt trinidad_tobago flag_tt tt
🇹🇻 flag-tv tuvalu flag_tv
🇹🇼 flag-tw taiwan flag_tw tw
🇹🇿 flag-tz tanzania flag_tz tz
🇺🇦 flag-ua ukraine flag_ua ua
🇺🇬 flag-ug uganda flag_ug ug
🇺🇲 flag-um us_outlying_islands flag_um um
🇺🇳 flag-un united_nations
🇺🇸 us flag-us flag_us
🇺🇾 flag-uy uruguay flag_uy uy
🇺🇿 flag-uz uzbekistan flag_uz uz
🇻🇦 flag-va vatican_city flag_va va
🇻🇨 flag-vc st_vincent_grenadines flag_vc vc
🇻🇪 flag-ve venezuela flag_ve ve
🇻🇬 flag-vg british_virgin_islands flag_vg vg
🇻🇮 flag-vi us_virgin_islands flag_vi vi
🇻🇳 flag-vn vietnam flag_vn vn
🇻🇺 flag-vu vanuatu flag_vu vu
🇼🇫 flag-wf wallis_futuna flag_wf wf
🇼🇸 flag-ws samoa flag_ws ws
🇽🇰 flag-xk kosovo flag_xk xk
🇾🇪 flag-ye yemen flag_ye ye
🇾🇹 flag-yt mayotte flag_yt yt
🇿🇦 flag-za south_africa flag_za za
🇿🇲 flag-zm zambia flag_zm zm
🇿🇼 flag-zw zimbabwe flag_zw zw
🏴󠁧󠁢󠁥󠁮󠁧󠁿 flag-england england
🏴󠁧󠁢󠁳󠁣󠁴󠁿 flag-scotland scotland
🏴󠁧󠁢󠁷󠁬󠁳󠁿 flag-wales wales`;
